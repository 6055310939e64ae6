import { once } from 'node:events';
import { connect } from 'node:net';

import { eventually } from '@plinth/dev/testing';

import { createDatabase } from '../support/databases.js';
import { BareApp, startBare } from '../support/own-app.js';
import { exchange, wire } from '../support/raw-http.js';

const PRODUCTS = '/api/v1/products';

let app: BareApp;
beforeAll(async () => {
  const database = await createDatabase();
  await database.query(
    `insert into products (name, price, category) select repeat('x', 200), i, 'c' from generate_series(1, 100) i`,
  );
  app = await startBare({ ANONYMOUS_ROLE: 'viewer', RATE_LIMIT: '0' }, database);
});
afterAll(() => app.stop());

describe('a client that does not read its responses', () => {
  it('is disconnected, and the server drops its requests', async () => {
    const socket = connect(app.port, app.host);
    await once(socket, 'connect');
    const closed = once(socket, 'close');
    socket.on('error', () => undefined);
    socket.pause();
    // 30 kB each, which is far more than the buffers of two sockets hold.
    for (let i = 0; i < 800; i++) socket.write(wire(`GET ${PRODUCTS}?limit=100`));
    const { connections } = app.app;
    await eventually(async () => connections.requestCount > 0, true, 10_000);
    await eventually(async () => connections.requestCount, 0, 60_000);
    socket.resume();
    await closed;
  });
});

describe('clients that send a request and reset their connection at once', () => {
  it('cause no server errors', async () => {
    const from = app.log.length;
    const statuses = (): unknown[] => app.log.slice(from).map(({ status }) => status);
    for (let i = 0; i < 20; i++) {
      const socket = connect(app.port, app.host);
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      await new Promise((sent) => socket.write(wire(`GET ${PRODUCTS}`), sent));
      socket.resetAndDestroy();
    }
    await eventually(async () => statuses().includes(499), true, 10_000);
    expect((await exchange(app, wire('GET /health/ready'))).answer.status).toBe(200);
    expect(statuses()).not.toContain(500);
    expect(app.log.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  });
});
