import type { Redis } from 'ioredis';

/** The time limit of a command. Time in which this process is blocked does not count. */
const REPLY_TIMEOUT_MS = 300;
/**
 * If the server does not respond for this time, the client opens a new connection, because the server may have
 * disappeared without closing the connection.
 */
const SOCKET_TIMEOUT_MS = 2_000;

/**
 * The connection to Redis. Without `REDIS_URL`, this provider is `undefined`. If the connection is lost, the client
 * reconnects by itself. Until it is connected again, commands fail at once instead of waiting.
 */
export class RedisConnection {
  constructor(readonly client: Redis) {
    // Without a listener, ioredis would print every failed attempt.
    client.on('error', () => undefined);
  }

  static async create(url: string): Promise<RedisConnection> {
    // Import ioredis on demand, so that a service without Redis starts faster.
    const { Redis } = await import('ioredis');
    const client = new Redis(url, {
      lazyConnect: true,
      enableOfflineQueue: false,
      enableAutoPipelining: true,
      maxRetriesPerRequest: 0,
      connectTimeout: 1_000,
      socketTimeout: SOCKET_TIMEOUT_MS,
      retryStrategy: (attempt) => Math.min(attempt * 50, 1_000),
    });
    return new RedisConnection(client);
  }

  /** Returns after the first attempt to connect, successful or not. */
  async onApplicationBootstrap(): Promise<void> {
    await this.client.connect().catch(() => undefined);
  }

  onModuleDestroy(): void {
    this.client.disconnect();
  }

  /**
   * Sends commands with a time limit.
   *
   * A single timer would be wrong if this process is blocked. Node.js runs timers before it reads sockets, so the timer
   * would reject a command whose response has already arrived, or which was not yet sent. Therefore two timers share
   * the limit. The second timer starts only when the process runs again. When it ends, Node.js reads the sockets once
   * more before the command is rejected.
   * @throws Error if Redis does not respond within 300 ms, or the error of `work`
   */
  call<T>(work: (client: Redis) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const giveUp = (): void => reject(new Error(`Redis did not respond within ${REPLY_TIMEOUT_MS} ms.`));
      const readSocketsFirst = (): unknown => setImmediate(giveUp);
      let timer = setTimeout(() => {
        timer = setTimeout(readSocketsFirst, REPLY_TIMEOUT_MS / 2);
      }, REPLY_TIMEOUT_MS / 2);
      work(this.client)
        .then(resolve, reject)
        .finally(() => clearTimeout(timer));
    });
  }
}
