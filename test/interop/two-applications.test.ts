import { Controller, Get, Module, Type } from '@nestjs/common';
import { ApiError, ApiErrorResponse, defineErrors, Public } from '@plinth/core';

import { createDatabase, TestDatabase } from '../support/databases.js';
import { startInProcess } from '../support/own-app.js';
import { Settings } from '../support/settings.js';

/** A module whose one route answers LAMP_BROKEN, in the meaning of its team. */
function brokenLamp(path: string, status: number, summary: string): Type {
  const { LAMP_BROKEN } = defineErrors({ LAMP_BROKEN: [status, summary] });

  @Controller({ path, version: '1' })
  class LampController {
    @Get()
    @Public()
    @ApiErrorResponse(LAMP_BROKEN)
    get(): never {
      throw new ApiError(LAMP_BROKEN);
    }
  }

  @Module({ controllers: [LampController] })
  class LampModule {}
  return LampModule;
}

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

const start = (settings: Settings, ...modules: Type[]) =>
  startInProcess(settings, { ...database, drop: () => Promise.resolve() }, modules);

it('two applications of one process give a code meanings of their own, and document them', async () => {
  const apps = [
    await start({}, brokenLamp('desk', 409, 'It is dark.')),
    await start({}, brokenLamp('wall', 410, 'It fell.')),
  ];
  const said = apps.map(async ({ baseUrl, anonymous }, index) => {
    const { error } = (await anonymous.get(`/api/v1/${['desk', 'wall'][index]}`)).body as { error: object };
    const { components, info } = (await (await fetch(`${baseUrl}/reference/v1.json`)).json()) as {
      components: { examples: Record<string, { value: object }> };
      info: { description: string };
    };
    expect(components.examples['LAMP_BROKEN']?.value).toEqual({ error });
    return /(?<=## LAMP_BROKEN\n\n).*/.exec(info.description)?.[0];
  });
  expect(await Promise.all(said)).toEqual(['**409** It is dark.', '**410** It fell.']);
  for (const app of apps) await app.stop();
});

it.each(['true', 'false'])(
  'one application with a code of two meanings does not start: DOCS=%s',
  async (DOCS) => {
    const modules = [brokenLamp('desk', 409, 'It is dark.'), brokenLamp('wall', 409, 'It fell.')];
    await expect(start({ DOCS }, ...modules)).rejects.toThrow(
      'error code LAMP_BROKEN means two things: 409 "It is dark." and 409 "It fell."',
    );
  },
);
