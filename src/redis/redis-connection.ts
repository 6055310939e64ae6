import { Redis } from 'ioredis';

/** Longer than this no request waits for Redis. */
const COMMAND_TIMEOUT_MS = 300;
const CONNECT_TIMEOUT_MS = 1_000;
const MAX_RETRY_DELAY_MS = 1_000;

/**
 * The connection to Redis that a process shares. It comes back by itself; while it is away commands fail at once
 * instead of waiting. Inject it by this class.
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
      retryStrategy: (attempt) => Math.min(attempt * 50, MAX_RETRY_DELAY_MS),
    });
    // Without a listener each attempt that fails would be printed.
    this.client.on('error', () => undefined);
  }

  /** Returns when the first attempt has ended, however it did. */
  async onApplicationBootstrap(): Promise<void> {
    await this.client.connect().catch(() => undefined);
  }

  onModuleDestroy(): void {
    this.client.disconnect();
  }

  /** Whether commands would be answered. */
  get isReady(): boolean {
    return this.client.status === 'ready';
  }
}
