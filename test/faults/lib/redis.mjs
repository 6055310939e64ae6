import { spawnSync } from 'node:child_process';

import { Redis as Client } from 'ioredis';

import { freePort } from '../../../scripts/lib/free-port.mjs';
import { temporaryFolder } from './cleanup.mjs';
import { destroy, signal, start } from './processes.mjs';
import { until } from './waiting.mjs';

export const hasRedis = () => spawnSync('redis-server', ['--version']).status === 0;

/** A Redis server of an experiment's own. It keeps every write, as one that holds sessions should. */
export class Redis {
  #child;

  static async start(scope) {
    const redis = new Redis();
    redis.port = await freePort();
    redis.folder = temporaryFolder(scope, 'redis');
    scope.defer(() => redis.kill());
    await redis.start();
    return redis;
  }

  get url() {
    return `redis://127.0.0.1:${this.port}`;
  }

  async start() {
    const settings = ['--port', String(this.port), '--bind', '127.0.0.1', '--dir', this.folder, '--save', ''];
    this.#child = start('redis-server', [...settings, '--appendonly', 'yes', '--appendfsync', 'always'], {
      stdio: 'ignore',
      detached: true,
    });
    await until('Redis answers', () => this.#answers());
  }

  async #answers() {
    const client = new Client(this.url, {
      lazyConnect: true,
      maxRetriesPerRequest: 0,
      retryStrategy: () => null,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return (await client.ping()) === 'PONG';
    } catch {
      return false;
    } finally {
      client.disconnect();
    }
  }

  kill() {
    return this.#child && destroy(this.#child);
  }

  freeze() {
    signal(this.#child.pid, 'SIGSTOP');
  }

  thaw() {
    signal(this.#child.pid, 'SIGCONT');
  }
}
