import { once } from 'node:events';
import { connect, Socket } from 'node:net';

import { createDatabase, TestDatabase } from '../support/databases.js';
import { eventually } from '../support/eventually.js';
import { OwnApp, startInProcess } from '../support/own-app.js';
import { exchange, wire } from '../support/raw-http.js';
import { ServiceProcess } from '../support/service-process.js';

const PRODUCTS = '/api/v1/products';

describe('few file descriptors', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createDatabase();
  });
  afterAll(() => database.drop());

  it('bound the connections; the process keeps serving those that it has', async () => {
    const settings = { DATABASE_URL: database.url, ANONYMOUS_ROLE: 'viewer', RATE_LIMIT: '0' };
    // `exec`: the shell is replaced, and the signal reaches the service. Node.js opens the modules of the service at
    // once.
    const command = ['/bin/sh', '-c', 'ulimit -n 600; exec "$@"', 'sh'];
    const service = await ServiceProcess.started(settings, { command });
    const sockets: Socket[] = [];
    const isOpen = (): Promise<boolean> =>
      exchange(service, wire('GET /health/ready'), { timeoutMs: 2_000 }).then(
        ({ answer }) => answer.status === 200,
      );
    try {
      const early = connect(service.port, service.host);
      await once(early, 'connect');
      for (let i = 0; i < 800; i++) {
        const socket = connect(service.port, service.host);
        socket.on('error', () => undefined);
        sockets.push(socket);
      }
      // Past the bound they are closed again.
      await eventually(async () => sockets.filter(({ destroyed }) => destroyed).length > 200, true, 20_000);
      let answer = '';
      early.on('data', (data) => (answer += String(data)));
      for (const path of ['/health/ready', PRODUCTS, '/docs/openapi.json']) {
        answer = '';
        early.write(wire(`GET ${path}`));
        await eventually(async () => answer.startsWith('HTTP/1.1 200'), true, 10_000);
      }
      early.destroy();
    } finally {
      for (const socket of sockets) socket.destroy();
    }
    await eventually(isOpen, true, 10_000);
    service.kill('SIGTERM');
    expect(await service.exited).toBe(0);
    expect(service.log).not.toContain('EMFILE');
  });
});

describe('a client that does not read its answers', () => {
  let app: OwnApp;
  beforeAll(async () => {
    app = await startInProcess({ ANONYMOUS_ROLE: 'viewer', RATE_LIMIT: '0' });
    await app.query(
      `insert into products (name, price, category) select repeat('x', 200), i, 'c' from generate_series(1, 100) i`,
    );
  });
  afterAll(() => app.stop());

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
  let app: OwnApp;
  beforeAll(async () => {
    app = await startInProcess();
  });
  afterAll(() => app.stop());

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
