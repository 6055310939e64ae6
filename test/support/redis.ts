import { ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { Redis } from 'ioredis6';

import { freePort } from '../../scripts/lib/free-port.mjs';

/** A Redis server that a test can stop and start again on the same port. */
export interface TestRedis {
  readonly url: string;
  start(): Promise<void>;
  /** Freezes it: connections stay open, but nothing is answered (SIGSTOP). */
  freeze(): void;
  /** Lets it continue with everything that it was sent meanwhile. */
  thaw(): void;
  /** Kills it, like a crash. */
  kill(): Promise<void>;
  /** Stops it and removes its files. */
  remove(): Promise<void>;
}

/** Whether Redis is installed. */
export const hasRedis = spawnSync('redis-server', ['--version']).status === 0;

/** `describe`, but skipped without `redis-server` (Debian: `apt-get install redis-server`). */
export const describeWithRedis = hasRedis ? describe : describe.skip;

export async function startRedis(): Promise<TestRedis> {
  const port = await freePort();
  const directory = mkdtempSync(join(tmpdir(), 'service-redis-'));
  const url = `redis://127.0.0.1:${port}`;
  let server: ChildProcess | undefined;
  const kill = async (): Promise<void> => {
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    server.kill('SIGKILL');
    await once(server, 'exit');
  };
  const start = async (): Promise<void> => {
    const settings = ['--port', String(port), '--bind', '127.0.0.1', '--dir', directory];
    server = spawn('redis-server', [...settings, '--save', '', '--appendonly', 'no'], { stdio: 'ignore' });
    await answering(url);
  };
  await start();
  return {
    url,
    start,
    freeze: () => server?.kill('SIGSTOP'),
    thaw: () => server?.kill('SIGCONT'),
    kill,
    remove: async () => {
      await kill();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function answering(url: string): Promise<void> {
  const client = new Redis(url, { maxRetriesPerRequest: null, retryStrategy: () => 20 });
  client.on('error', () => undefined);
  await client.ping();
  client.disconnect();
  await sleep(0);
}
