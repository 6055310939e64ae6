import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';

const HOST = fileURLToPath(new URL('service-host.mjs', import.meta.url));

/**
 * The processes that run services for test files, one per Jest worker, each started on the first request.
 * `GET /<worker>` at `url` returns `{ url, databaseUrl }`: the host of that worker, and the database of its
 * shared service.
 */
export class ServiceHosts {
  #hosts = new Map();
  #control;

  /** @param createDatabase creates a migrated, empty database and resolves to its URL */
  static async listen(createDatabase) {
    const hosts = new ServiceHosts();
    hosts.#control = createServer((request, response) => {
      const worker = request.url.slice(1);
      response.setHeader('connection', 'close');
      if (!hosts.#hosts.has(worker)) hosts.#hosts.set(worker, startHost(createDatabase));
      hosts.#hosts.get(worker).then(
        ({ url, databaseUrl }) => response.end(JSON.stringify({ url, databaseUrl })),
        (error) => response.writeHead(500).end(String(error?.stack ?? error)),
      );
    }).listen(0, '127.0.0.1');
    await once(hosts.#control, 'listening');
    hosts.url = `http://127.0.0.1:${hosts.#control.address().port}`;
    return hosts;
  }

  /**
   * Ends all processes. Resolves to the faults: files that left a service running, and hosts that ended
   * unexpectedly.
   */
  async stop() {
    this.#control.close();
    this.#control.closeAllConnections();
    const ends = [...this.#hosts.values()].map(async (host) => stopHost(await host));
    const outcomes = await Promise.allSettled(ends);
    return outcomes.flatMap(({ value, reason }) => value ?? [String(reason)]);
  }
}

async function startHost(createDatabase) {
  const databaseUrl = await createDatabase();
  const child = fork(HOST, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const exited = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`a service host ended with ${signal ?? code}`);
  });
  const [{ url }] = await Promise.race([once(child, 'message'), exited]);
  exited.catch(() => undefined);
  return { url, databaseUrl, child, exited };
}

async function stopHost({ child, exited }) {
  if (child.exitCode !== null || child.signalCode !== null) return exited.catch((error) => [error.message]);
  const answered = once(child, 'message');
  child.send('end');
  const [{ left }] = await Promise.race([answered, exited]);
  await exited.catch(() => undefined);
  return left.map((file) => `${file} left a service running`);
}
