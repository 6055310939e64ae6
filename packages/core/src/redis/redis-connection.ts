import type { Redis } from 'ioredis';

/** The longest that a request waits for Redis, while this process runs. */
const REPLY_TIMEOUT_MS = 300;
/** A connection that gives no answer for this long is opened anew: the other end may be gone without a word. */
const SOCKET_TIMEOUT_MS = 2_000;

/** The connection to Redis, optional where it is injected. It reconnects by itself; until then commands fail at once. */
export class RedisConnection {
  constructor(readonly client: Redis) {
    // Without a listener, every failed attempt would be printed.
    client.on('error', () => undefined);
  }

  static async create(url: string): Promise<RedisConnection> {
    // A service without Redis does not load the client.
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
   * Sends commands. Timers run before sockets are read: a process that was busy for longer than a time-out would give up
   * an answer that is there, or a command that it has not sent. So the second half of the time begins when the process
   * runs again, and ends with one more look at its sockets.
   * @throws what `work` throws, and an Error where Redis does not answer within 300 ms
   */
  call<T>(work: (client: Redis) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const giveUp = (): void => reject(new Error(`Redis does not answer within ${REPLY_TIMEOUT_MS} ms.`));
      const lookOnceMore = (): unknown => setImmediate(giveUp);
      let timer = setTimeout(() => {
        timer = setTimeout(lookOnceMore, REPLY_TIMEOUT_MS / 2);
      }, REPLY_TIMEOUT_MS / 2);
      work(this.client)
        .then(resolve, reject)
        .finally(() => clearTimeout(timer));
    });
  }
}
