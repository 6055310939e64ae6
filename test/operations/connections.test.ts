import { once } from 'node:events';
import { connect } from 'node:net';

import { eventually } from '@plinth/dev/testing';

import { useInProcess } from '../support/own-app.js';
import { wire } from '../support/raw-http.js';

const PRODUCTS = '/api/v1/products';

describe('a client that does not read its answers', () => {
  const app = useInProcess({ ANONYMOUS_ROLE: 'viewer', RATE_LIMIT: '0' });
  beforeAll(async () => {
    await app.query(
      `insert into products (name, price, category) select repeat('x', 200), i, 'c' from generate_series(1, 100) i`,
    );
  });

  it('is cut, and what it asked for is let go of', async () => {
    const socket = connect(app.port, app.host);
    await once(socket, 'connect');
    const closed = once(socket, 'close');
    socket.on('error', () => undefined);
    socket.pause();
    // 30 kB each: far more than the buffers of two sockets take.
    for (let i = 0; i < 800; i++) socket.write(wire(`GET ${PRODUCTS}?limit=100`));
    const { connections } = app.app;
    await eventually(async () => connections.requests > 0, true, 10_000);
    await eventually(async () => connections.requests, 0, 60_000);
    socket.resume();
    await closed;
  });
});

describe('clients that send a request and reset their connection at once', () => {
  const app = useInProcess();

  it('are no failures of the server', async () => {
    const lines = (): unknown[] => app.log.flatMap((line) => ('status' in line ? [line['status']] : []));
    for (let i = 0; i < 20; i++) {
      const socket = connect(app.port, app.host);
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      await new Promise((sent) => socket.write(wire(`GET ${PRODUCTS}`), sent));
      socket.resetAndDestroy();
    }
    await eventually(async () => lines().includes(499), true, 10_000);
    expect((await app.anonymous.get('/health/ready')).status).toBe(200);
    expect(lines()).not.toContain(500);
    expect(app.log.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  });
});
