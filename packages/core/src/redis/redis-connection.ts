import type { Redis } from 'ioredis';

/** How long a request waits for Redis, not counting time in which this process is blocked. */
const REPLY_TIMEOUT_MS = 300;
/** A connection without a response for this long is replaced: the server may have gone without closing it. */
const SOCKET_TIMEOUT_MS = 2_000;

/** The connection to Redis, which is `undefined` without `REDIS_URL`. It reconnects by itself, and until then commands fail at once. */
export class RedisConnection {
  constructor(readonly client: Redis) {
    // Without a listener, ioredis prints every failed attempt.
    client.on('error', () => undefined);
  }

  static async create(url: string): Promise<RedisConnection> {
    // Loaded on demand, so that a service without Redis starts sooner.
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
   * Sends commands, with a time limit that a busy process does not exceed by itself. Node.js runs timers before it reads
   * sockets. After being blocked, a simple timer would give up on a response that has arrived, or on a command that was
   * never sent. So the second half of the time begins when the process runs again, and sockets are read once more at its end.
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
