/**
 * Runs services of the built `dist/` for the test files of one Jest worker, each on a port of its own.
 * Loading the service takes a second of CPU and starting another one a tenth, so all files of a worker share
 * this process.
 *
 * Its HTTP interface: `POST /shared` starts the shared service with default settings once, `POST /services`
 * starts a service for its caller, `GET /services/<id>` returns the policies of its routes, and `DELETE
 * /services/<id>` stops it. The process ends with its parent.
 */
import 'reflect-metadata';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';

import { pino } from 'pino';

import { AppModule } from '../../dist/src/app.module.js';
import { createApp } from '../../packages/core/dist/app/app.factory.js';
import { readConfig } from '../../packages/core/dist/config/read-config.js';

const services = new Map();
let shared;
let lastId = 0;

/** @param settings all environment variables of the service */
async function start({ settings, file }) {
  const config = readConfig(settings, () => settings.JWT_SECRET);
  const { nest } = await createApp(AppModule, config, settings.DATABASE_URL, {
    logger: pino({ level: 'silent' }),
    // The services share an event loop.
    pressure: { eventLoopDelayMs: Infinity, heapShare: 1 },
  });
  await nest.listen(0, '127.0.0.1');
  const service = { id: ++lastId, url: await nest.getUrl(), file, nest };
  services.set(service.id, service);
  return { id: service.id, url: service.url };
}

async function stop(id) {
  const service = services.get(id);
  services.delete(id);
  await service?.nest.close();
}

/** The policies of a service's routes, by `METHOD path`. */
function policies(id) {
  return Object.fromEntries(services.get(id).nest.getHttpAdapter().getInstance().policies);
}

const routes = {
  'POST /shared': async (request) => (shared ??= start(await json(request))),
  'POST /services': async (request) => start(await json(request)),
  'GET /services': (_request, id) => policies(id),
  'DELETE /services': async (_request, id) => stop(id),
};

const control = createServer((request, response) => {
  const [, name, id] = request.url.split('/');
  const route = routes[`${request.method} /${name}`];
  // Test files come seconds apart, so an idle connection could end just when the next file uses it.
  response.setHeader('connection', 'close');
  Promise.resolve()
    .then(() => route(request, Number(id)))
    .then(
      (result = {}) => response.end(JSON.stringify(result)),
      (error) => response.writeHead(500).end(String(error?.stack ?? error)),
    );
});

/** Stops everything, and reports to the parent which test files left a service running. */
async function end() {
  const sharedId = (await shared?.catch(() => undefined))?.id;
  const left = [...services.values()].filter(({ id }) => id !== sharedId).map(({ file }) => file);
  await Promise.allSettled([...services.keys()].map(stop));
  process.send({ left }, () => process.exit(0));
}

process.on('message', end);
process.on('disconnect', () => process.exit(1));
// Ctrl-C reaches the whole process group, but the parent decides when this process ends.
process.on('SIGINT', () => undefined);
control.listen(0, '127.0.0.1', () => process.send({ url: `http://127.0.0.1:${control.address().port}` }));
