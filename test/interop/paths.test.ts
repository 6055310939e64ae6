import {
  Controller,
  Get,
  HttpCode,
  Module,
  Param,
  Post,
  RawBody,
  type RawBodyRequest,
  Req,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

import { useInProcess } from '../support/own-app.js';

@Controller({ path: 'shelves', version: '1' })
class ShelvesController {
  @Get('files/*')
  files(): object {
    return { route: 'files' };
  }

  @Get('things::batch')
  batch(): object {
    return { route: 'batch' };
  }

  @Get('parts/:from-:to')
  range(@Param('from') from: string, @Param('to') to: string): object {
    return { route: `${from} to ${to}` };
  }

  /** A webhook of another service, which signs the bytes of the body. */
  @Post('signed')
  @HttpCode(200)
  signed(@RawBody() raw: Buffer, @Req() request: RawBodyRequest<FastifyRequest>): object {
    return { bytes: raw.toString('latin1'), isSame: request.rawBody === raw };
  }

  @Get(['one', 'two'])
  several(): object {
    return { route: 'several' };
  }
}

@Controller({ path: 'rest', version: '1' })
class RestController {
  @Get('*')
  rest(): object {
    return { route: 'rest' };
  }
}

@Module({ controllers: [ShelvesController, RestController] })
class ShelvesModule {}

describe('@RawBody()', () => {
  const app = useInProcess({}, undefined, [ShelvesModule]);

  it('receives the bytes of a JSON body exactly as they were sent', async () => {
    const client = await app.as('admin');
    const answer = await client.post('/api/v1/shelves/signed', '{"a" : 1.0}');
    expect([answer.status, answer.body]).toEqual([200, { bytes: '{"a" : 1.0}', isSame: true }]);
  });
});

describe('paths with wildcards and colons', () => {
  const app = useInProcess({}, undefined, [ShelvesModule]);

  it.each([
    ['shelves/files/a/b', 'files'],
    ['shelves/things:batch', 'batch'],
    ['shelves/parts/1-2', '1 to 2'],
    ['shelves/one', 'several'],
    ['shelves/two', 'several'],
    ['rest/a/b', 'rest'],
  ])('are served and documented: %s', async (path, route) => {
    const { email, password } = await app.user('viewer');
    const headers = { authorization: `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}` };
    const response = await fetch(`${app.baseUrl}/api/v1/${path}`, { headers });
    expect([response.status, await response.json()]).toEqual([200, { route }]);
    const document = (await (await fetch(`${app.baseUrl}/docs/openapi.json`)).json()) as { paths: object };
    const documented = Object.keys(document.paths).filter((key) => /shelves|rest/.test(key));
    expect(documented).toHaveLength(7);
  });
});
