import { once } from 'node:events';
import { IncomingMessage, request } from 'node:http';
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
const ofRequests = (names: readonly string[]): string[] =>
  names.filter((name) => /^on(Request|Response)$/.test(name));
const ALL = [...Array<string>(6).fill('onRequest'), 'onResponse'];

it('puts off all hooks of requests that the adapter of Nest has', () => {
  const [theirs, ours] = [fastify(), fastify()];
  const [ofTheirs, ofOurs] = [hooksOf(theirs), hooksOf(ours)];
  new FastifyAdapter(theirs);
  new HooksOnDemandAdapter(ours);
  expect(ofRequests(ofTheirs)).toEqual(ALL);
  expect(ofRequests(ofOurs)).toEqual([]);
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
  expect(names).toEqual(['onRequest']);
});

describe('adds them once, with', () => {
  it.each<[string, (adapter: HooksOnDemandAdapter) => unknown]>([
    ['enableCors()', (adapter) => adapter.enableCors()],
    ['registerSecurityHook()', (adapter) => adapter.registerSecurityHook(() => undefined)],
    ['setOnRequestHook()', (adapter) => adapter.setOnRequestHook((_request, _reply, done) => done())],
    ['setOnResponseHook()', (adapter) => adapter.setOnResponseHook((_request, _reply, done) => done())],
    ['initHttpServer()', (adapter) => adapter.initHttpServer({ return503OnClosing: true })],
    ['createMiddlewareFactory()', (adapter) => adapter.createMiddlewareFactory(0)],
    [
      'applyVersionFilter()',
      (adapter) =>
        adapter.applyVersionFilter(() => undefined, '1', {
          type: VersioningType.CUSTOM,
          extractor: () => '1',
        }),
    ],
  ])('%s', async (_name, switchOn) => {
    const server = fastify();
    const names = hooksOf(server);
    const adapter = new HooksOnDemandAdapter(server);
    await switchOn(adapter);
    await switchOn(adapter);
    // Middleware comes with a hook of its own behind them.
    expect(ofRequests(names).slice(0, ALL.length)).toEqual(ALL);
    expect(names.filter((name) => name === 'onResponse')).toHaveLength(1);
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

  it('has CORS', async () => {
    await create(LampsModule);
    app.enableCors({ origin: 'https://shop.test' });
    await app.init();
    const { headers } = await app.inject({ url: '/lamps', headers: { origin: 'https://shop.test' } });
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
