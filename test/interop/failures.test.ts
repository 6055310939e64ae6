import { Controller, Get, Module, Version } from '@nestjs/common';

import { createDatabase, TestDatabase } from '../support/databases.js';
import { startInProcess, useInProcess } from '../support/own-app.js';
import { PrintersModule, THROWN } from './failures.module.js';

describe('a failure in ordinary NestJS code', () => {
  const app = useInProcess({}, undefined, [PrintersModule]);
  let headers: Record<string, string>;

  beforeAll(async () => {
    const { email, password } = await app.user('viewer');
    headers = { authorization: `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}` };
  });

  const get = async (path: string): Promise<{ status: number; body: unknown }> => {
    const signal = AbortSignal.timeout(5_000);
    const response = await fetch(`${app.baseUrl}/api/v1/printers/${path}`, { headers, signal });
    return { status: response.status, body: await response.json() };
  };
  const failures = (): unknown[] => app.log.filter(({ error }) => error !== undefined);

  it.each(Object.entries(THROWN))(
    'is answered with 500, and its cause is only logged: %s',
    async (name, [, cause]) => {
      const before = failures().length;
      const { status, body } = await get(`thrown/${name}`);
      expect([status, JSON.stringify(body)]).toEqual([500, expect.not.stringContaining(cause)]);
      expect(JSON.stringify(failures().slice(before))).toContain(cause);
    },
  );

  it.each(['method', 'instance', 'scoped', 'global'])(
    'is answered even if an asynchronous filter rejects: %s',
    async (name) => {
      const before = failures().length;
      expect(await get(`filtered/${name}`)).toMatchObject({
        status: 500,
        body: { error: { code: 'INTERNAL_ERROR' } },
      });
      expect(JSON.stringify(failures().slice(before))).toContain('the filter is broken');
    },
  );

  it('is answered by an asynchronous filter', async () => {
    expect(await get('answered')).toEqual({ status: 418, body: { said: 'by a filter' } });
  });

  it.each(['lost', 'lost-later', 'lost-before-commit', 'lost-in-runner'])(
    'is answered with 502 if the connection to the database is lost: %s',
    async (path) => {
      const { status, body } = await get(path);
      expect([path, status, body]).toMatchObject([path, 502, { error: { code: 'DATABASE_ERROR' } }]);
    },
  );

  it('names the failed indicators of @nestjs/terminus, and logs the reason', async () => {
    expect(await get('health')).toMatchObject({
      status: 503,
      body: { error: { code: 'SERVICE_UNAVAILABLE', message: 'Failed: ink.' } },
    });
    expect(JSON.stringify(failures().at(-1))).toContain('10.0.0.7 does not answer');
  });
});

describe('a start with a version or a path that would not be served', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createDatabase();
  });
  afterAll(() => database.drop());

  @Controller({ path: 'odd', version: '1.1' })
  class DottedController {
    @Get()
    get(): object {
      return {};
    }
  }

  @Controller({ path: 'odd', version: ['1', 'beta'] })
  class NamedController {
    @Get()
    get(): object {
      return {};
    }
  }

  @Controller('odd')
  class PatternController {
    @Get(':id(\\d+)')
    get(): object {
      return {};
    }
  }

  @Controller('odd')
  class MethodController {
    @Get()
    @Version('02')
    get(): object {
      return {};
    }
  }

  it.each([
    [DottedController, `DottedController.get: a version must be a whole number, such as '2' (got '1.1')`],
    [NamedController, `NamedController.get: a version must be a whole number, such as '2' (got 'beta')`],
    [
      PatternController,
      `PatternController.get: a path must not have a pattern in brackets (got ':id(\\d+)'): use a pipe`,
    ],
    [MethodController, `MethodController.get: a version must be a whole number, such as '2' (got '02')`],
  ])('is refused: %p', async (controller, message) => {
    @Module({ controllers: [controller] })
    class OddModule {}
    const shared = { ...database, drop: () => Promise.resolve() };
    await expect(startInProcess({ DOCS: 'false' }, shared, [OddModule])).rejects.toThrow(message);
  });
});
