import { once } from 'node:events';
import { IncomingMessage, request, ServerResponse } from 'node:http';
import { AddressInfo } from 'node:net';

import { Controller, Get, MiddlewareConsumer, Module, NestModule, VersioningType } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, NestFastifyApplication } from '@nestjs/platform-fastify';
import { fastify, FastifyInstance } from 'fastify';

import { HooksOnDemandAdapter } from './hooks-on-demand.adapter.js';

@Controller()
class Lamps {
  @Get('lamps')
  read(): string {
    return 'lamps';
  }
}

@Module({ controllers: [Lamps] })
class LampsModule {}

@Module({ controllers: [Lamps] })
class MiddlewareModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply((_request: unknown, _response: unknown, next: () => void) => next()).forRoutes('lamps');
  }
}

@Module({ controllers: [Lamps] })
class EndingModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer
      .apply((_request: unknown, response: ServerResponse) => {
        response.end('dark');
      })
      .forRoutes('lamps');
  }
}

/** The names of the hooks that a server was given, in their order. */
function hooksOf(server: FastifyInstance): string[] {
  const names: string[] = [];
  const { addHook } = server;
  server.addHook = ((...hook: Parameters<typeof addHook>) => {
    names.push(hook[0]);
    return Reflect.apply(addHook, server, hook);
  }) as typeof addHook;
  return names;
}

it('puts one hook in the place of all that requests pass in the adapter of Nest', () => {
  const [theirs, ours] = [fastify(), fastify()];
  const [ofTheirs, ofOurs] = [hooksOf(theirs), hooksOf(ours)];
  new FastifyAdapter(theirs);
  new HooksOnDemandAdapter(ours);
  expect(ofTheirs).toEqual([...Array<string>(6).fill('onRequest'), 'onResponse']);
  expect(ofOurs).toEqual(['onRequest']);
});

it('leaves the server as it was', () => {
  const server = fastify();
  const { addHook } = server;
  new HooksOnDemandAdapter(server);
  expect(server.addHook).toBe(addHook);
});

it('adds hooks of the application at once', () => {
  const server = fastify();
  const names = hooksOf(server);
  new HooksOnDemandAdapter(server)
    .getInstance<FastifyInstance>()
    .addHook('onRequest', (_request, _reply, done) => {
      done();
    });
  expect(names).toEqual(['onRequest', 'onRequest']);
});

it('adds the one of responses with what it serves, once', () => {
  const server = fastify();
  const names = hooksOf(server);
  const adapter = new HooksOnDemandAdapter(server);
  for (let times = 1; times <= 2; times++)
    adapter.setOnResponseHook((_request, _reply, done) => {
      done();
    });
  expect(names).toEqual(['onRequest', 'onResponse']);
});

it('refuses one of responses that is set when the server is ready', async () => {
  const adapter = new HooksOnDemandAdapter();
  await adapter.init();
  await adapter.getInstance<FastifyInstance>().ready();
  const hook: Parameters<typeof adapter.setOnResponseHook>[0] = (_request, _reply, done) => {
    done();
  };
  expect(() => {
    adapter.setOnResponseHook(hook);
  }).toThrow('already booted');
});

/** Whether requests pass the hooks of Nest, of which one looks at their targets. */
async function arePassed(adapter: HooksOnDemandAdapter): Promise<boolean> {
  const look = jest.spyOn(
    adapter as unknown as { isRoutableRequestTarget(url: string): boolean },
    'isRoutableRequestTarget',
  );
  const server = adapter.getInstance<FastifyInstance>();
  server.get('/lamps', (_request, reply) => reply.send('lamps'));
  const { payload } = await server.inject({ url: '/lamps' });
  expect(payload).toBe('lamps');
  return look.mock.calls.length > 0;
}

it('passes requests by them while nothing is switched on', async () => {
  expect(await arePassed(new HooksOnDemandAdapter())).toBe(false);
});

describe('lets requests pass them with', () => {
  it.each<[string, (adapter: HooksOnDemandAdapter) => unknown]>([
    ['enableCors()', (adapter) => adapter.enableCors()],
    ['registerSecurityHook()', (adapter) => adapter.registerSecurityHook(() => undefined)],
    [
      'setOnRequestHook()',
      (adapter) =>
        adapter.setOnRequestHook((_request, _reply, done) => {
          done();
        }),
    ],
    ['initHttpServer()', (adapter) => adapter.initHttpServer({ return503OnClosing: true })],
    ['createMiddlewareFactory()', (adapter) => adapter.createMiddlewareFactory(0)],
    [
      'use()',
      async (adapter) => {
        await adapter.init();
        adapter.use((_request: unknown, _response: unknown, next: () => void) => {
          next();
        });
      },
    ],
    [
      'applyVersionFilter()',
      (adapter) =>
        adapter.applyVersionFilter(() => undefined, '1', {
          type: VersioningType.CUSTOM,
          extractor: () => '1',
        }),
    ],
  ])('%s', async (_name, switchOn) => {
    const adapter = new HooksOnDemandAdapter();
    await switchOn(adapter);
    expect(await arePassed(adapter)).toBe(true);
  });
});

describe('an application', () => {
  let adapter: HooksOnDemandAdapter;
  let app: NestFastifyApplication;

  async function create(module: new () => object): Promise<void> {
    adapter = new HooksOnDemandAdapter();
    app = await NestFactory.create<NestFastifyApplication>(module, adapter, { logger: false });
  }

  afterEach(async () => {
    await app.close();
  });

  it('answers without any of them', async () => {
    await create(LampsModule);
    await app.init();
    const response = await app.inject({ url: '/lamps' });
    expect(response.payload).toBe('lamps');
  });

  it('has CORS before its own hooks, which may be older', async () => {
    await create(LampsModule);
    adapter.getInstance<FastifyInstance>().addHook('onRequest', (_request, reply) => reply.code(401).send());
    app.enableCors({ origin: 'https://shop.test' });
    await app.init();
    const { headers } = await app.inject({ url: '/lamps', headers: { origin: 'https://shop.test' } });
    expect(headers['access-control-allow-origin']).toBe('https://shop.test');
  });

  it('has CORS for what middleware answers', async () => {
    await create(EndingModule);
    app.enableCors({ origin: 'https://shop.test' });
    await app.init();
    const { payload, headers } = await app.inject({
      url: '/lamps',
      headers: { origin: 'https://shop.test' },
    });
    expect(payload).toBe('dark');
    expect(headers['access-control-allow-origin']).toBe('https://shop.test');
  });

  it('has security headers', async () => {
    await create(LampsModule);
    app.useSecurityHeaders();
    await app.init();
    const { headers } = await app.inject({ url: '/lamps' });
    expect(headers['x-content-type-options']).toBe('nosniff');
  });

  it('has hooks of its own', async () => {
    await create(LampsModule);
    const seen: string[] = [];
    adapter.setOnRequestHook(({ url }, _reply, done) => {
      seen.push(url);
      done();
    });
    await app.init();
    await app.inject({ url: '/lamps' });
    expect(seen).toEqual(['/lamps']);
  });

  it('answers what one of them throws behind another that has waited', async () => {
    await create(LampsModule);
    adapter.setOnRequestHook(async () => {});
    adapter.registerSecurityHook(() => {
      throw new Error('dark');
    });
    await app.init();
    expect(await app.inject({ url: '/lamps' })).toHaveProperty('statusCode', 500);
  });

  it('passes none behind one that has answered', async () => {
    await create(LampsModule);
    adapter.setOnRequestHook(async (_request, reply) => {
      await reply.code(401).send();
    });
    const behind = jest.fn();
    adapter.registerSecurityHook(behind);
    await app.init();
    expect(await app.inject({ url: '/lamps' })).toHaveProperty('statusCode', 401);
    expect(behind).not.toHaveBeenCalled();
  });

  it('has a hook of responses', async () => {
    await create(LampsModule);
    const answered = jest.fn((_request: unknown, _reply: unknown, done: () => void) => {
      done();
    });
    adapter.setOnResponseHook(answered);
    await app.init();
    await app.inject({ url: '/lamps' });
    expect(answered).toHaveBeenCalledTimes(1);
  });

  it('has middleware, and refuses targets that it could not match', async () => {
    await create(MiddlewareModule);
    await app.listen(0, '127.0.0.1');
    const { port } = app.getHttpServer().address() as AddressInfo;
    const statusOf = async (path: string): Promise<number | undefined> => {
      const [response] = (await once(request({ port, path, method: 'GET' }).end(), 'response')) as [
        IncomingMessage,
      ];
      response.resume();
      return response.statusCode;
    };
    expect(await statusOf('/lamps')).toBe(200);
    expect(await statusOf('*lamps')).toBe(404);
  });
});
