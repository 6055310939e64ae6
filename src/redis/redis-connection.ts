import { Redis } from 'ioredis';

/** The longest that a request waits for Redis. */
const COMMAND_TIMEOUT_MS = 300;
const CONNECT_TIMEOUT_MS = 1_000;
/** A connection that gives no answer for this long is opened anew: the other end may be gone without a word. */
const SILENCE_MS = 2_000;
const MAX_RETRY_DELAY_MS = 1_000;

/**
 * The process's connection to Redis. Reconnects automatically; while it is disconnected, commands fail at once. Inject
 * it by this class.
 */
export class RedisConnection {
  readonly client: Redis;

  constructor(url: string) {
    this.client = new Redis(url, {
      lazyConnect: true,
      enableOfflineQueue: false,
      enableAutoPipelining: true,
      maxRetriesPerRequest: 0,
      connectTimeout: CONNECT_TIMEOUT_MS,
      commandTimeout: COMMAND_TIMEOUT_MS,
      socketTimeout: SILENCE_MS,
      retryStrategy: (attempt) => Math.min(attempt * 50, MAX_RETRY_DELAY_MS),
    });
    // Without a listener, every failed attempt would be printed.
    this.client.on('error', () => undefined);
  }

  /** Returns after the first attempt to connect, successful or not. */
  async onApplicationBootstrap(): Promise<void> {
    await this.client.connect().catch(() => undefined);
  }

  onModuleDestroy(): void {
    this.client.disconnect();
  }

  /** Whether commands can be sent. */
  get isReady(): boolean {
    return this.client.status === 'ready';
  }
}
