import { Agent, get, IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import { createDatabase, TestDatabase } from '../support/databases.js';
import { Load } from '../support/load.js';
import { exchange, expectError, wire } from '../support/raw-http.js';
import { ServiceProcess } from '../support/service-process.js';

const SECRET = 'a-secret-of-the-tests-of-32-bytes-or-more';
const PRODUCTS = '/api/v1/products';

let database: TestDatabase;
let settings: Record<string, string>;
const running: ServiceProcess[] = [];
beforeAll(async () => {
  database = await createDatabase();
  settings = { DATABASE_URL: database.url, JWT_SECRET: SECRET, RATE_LIMIT: '0', ANONYMOUS_ROLE: 'viewer' };
});
afterEach(async () => {
  for (const service of running) service.kill('SIGKILL');
  await Promise.all(running.splice(0).map(({ exited }) => exited));
});
afterAll(() => database.drop());

const start = async (
  more: Record<string, string> = {},
  options?: ConstructorParameters<typeof ServiceProcess>[1],
): Promise<ServiceProcess> => {
  const service = new ServiceProcess({ ...settings, ...more }, options);
  running.push(service);
  await service.serving();
  return service;
};

/** Tells a service to stop: how it ended, and how long that took. */
async function stop(service: ServiceProcess): Promise<{ code: unknown; seconds: number }> {
  const startedAt = performance.now();
  service.kill('SIGTERM');
  const code = await service.exited;
  return { code, seconds: (performance.now() - startedAt) / 1000 };
}

// That a rolling restart loses no request is shown behind HAProxy: test/faults/experiments/rolling-restart.mjs.
describe('SIGTERM ends the process with 0 within 10 s', () => {
  it('whatever half-sent bodies do: they get their 408', async () => {
    const service = await start();
    const head = wire('POST /login', ['Content-Type: application/json', 'Content-Length: 100'], '{');
    const halves = Array.from({ length: 5 }, () => exchange(service, head, { timeoutMs: 20_000 }));
    await sleep(300);
    const { code, seconds } = await stop(service);
    expect(code).toBe(0);
    expect(seconds).toBeLessThan(10);
    for (const { answer, isClosed } of await Promise.all(halves)) {
      expectError(answer, 408, 'REQUEST_TIMEOUT');
      expect(isClosed).toBe(true);
    }
  });

  it('though nobody reads its log', async () => {
    const service = await start({}, { isLogRead: false });
    const agent = new Agent({ keepAlive: true, maxSockets: 8 });
    const load = new Load(service.port, PRODUCTS, agent);
    load.begin(8);
    // More than a pipe holds, and not so much that lines are dropped.
    await load.progress(3_600);
    await load.end();
    expect([...load.statuses]).toEqual([200]);
    agent.destroy();
    const { code, seconds } = await stop(service);
    expect(code).toBe(0);
    expect(seconds).toBeLessThan(10);
  });

  it('and writes all of its log where it is read', async () => {
    const service = await start();
    const agent = new Agent({ keepAlive: true, maxSockets: 8 });
    const load = new Load(service.port, PRODUCTS, agent);
    load.begin(8);
    await load.progress(500);
    await load.end();
    expect((await stop(service)).code).toBe(0);
    agent.destroy();
    const lines = service.log.trim().split('\n');
    const ofProducts = lines.filter((line) => (JSON.parse(line) as { route?: string }).route === PRODUCTS);
    expect(ofProducts).toHaveLength(load.answers);
  });

  describe('while a list is exported', () => {
    beforeAll(() =>
      database.query(`insert into products (name, price, category, description)
                      select 'Large ' || i, i, 'large', repeat('x', 5000) from generate_series(1, 4000) i`),
    );

    /** A response of 20 MB, of which nothing is read yet: more than what is on the way holds. */
    const open = ({ port }: ServiceProcess): Promise<IncomingMessage> =>
      new Promise((resolve, reject) => {
        const options = { agent: false, headers: { accept: 'text/csv' } };
        const url = `http://127.0.0.1:${port}/api/v2/products?category=large`;
        get(url, options, resolve).on('error', reject);
      });
    const countLines = async (response: IncomingMessage): Promise<number> => {
      let count = 0;
      for await (const chunk of response) count += String(chunk).split('\n').length - 1;
      return count;
    };

    it('all of it is sent to a client that reads', async () => {
      const service = await start();
      const response = await open(service);
      const [{ code }, lines] = await Promise.all([stop(service), countLines(response)]);
      expect([code, lines]).toEqual([0, 4001]);
    });

    it('and is cut off, which the client sees, where the client does not read', async () => {
      const service = await start();
      const response = await open(service);
      const { code, seconds } = await stop(service);
      expect(code).toBe(0);
      expect(seconds).toBeLessThan(10);
      await expect(countLines(response)).rejects.toThrow('aborted');
    });
  });
});
