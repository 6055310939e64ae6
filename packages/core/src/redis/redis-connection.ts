import { Logger } from '@nestjs/common';
import type { Redis } from 'ioredis6';

import { PRODUCT } from '../config/product.js';

/** The time limit of a command. Time in which this process is blocked does not count. */
const REPLY_TIMEOUT_MS = 300;
/**
 * If the server does not respond for this time, the client opens a new connection, because the server may have
 * disappeared without closing the connection.
 */
const SOCKET_TIMEOUT_MS = 2_000;

class NoReplyError extends Error {
  override readonly name = 'NoReplyError';

  constructor() {
    super(`Redis did not respond within ${REPLY_TIMEOUT_MS} ms.`);
  }
}

/**
 * The connection to Redis. Without `REDIS_URL`, this provider is `undefined`. If the connection is lost, the client
 * reconnects by itself. Until it is connected again, commands fail at once instead of waiting. Each outage is logged
 * once when it begins, and once when it ends.
 */
export class RedisConnection {
  private readonly logger = new Logger('Redis');
  private isAvailable = true;
  private isClosing = false;
  private lastError: Error | undefined;
  /** How often Redis became unavailable. */
  outageCount = 0;

  constructor(readonly client: Redis) {
    // ioredis passes the reason of a failed attempt to `error`, before `close`.
    client.on('error', (error: Error) => (this.lastError = error));
    client.on('close', () => this.report(this.lastError ?? new Error('the connection was closed')));
    client.on('ready', () => this.report());
  }

  static async create(url: string): Promise<RedisConnection> {
    // Import ioredis on demand, so that a service without Redis starts faster.
    const { Redis } = await import('ioredis6');
    const client = new Redis(url, {
      lazyConnect: true,
      // Some proxies answer the handshake of version 3 with an error that ioredis does not understand.
      protocol: 2,
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
    this.isClosing = true;
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
  async call<T>(work: (client: Redis) => Promise<T>): Promise<T> {
    try {
      const result = await this.limit(work(this.client));
      this.report();
      return result;
    } catch (error) {
      // Other errors only say that there is no connection, and the client has reported why.
      if (error instanceof NoReplyError || (error as Error).name === 'ReplyError')
        this.report(error as Error);
      throw error;
    }
  }

  /**
   * Whether Redis accepts writes now. A Redis that only answers is not enough: it may be out of memory, or a replica.
   * Never throws.
   */
  async check(): Promise<boolean> {
    await this.call((client) => client.set(`${PRODUCT.redisPrefix}check`, '', 'PX', 1)).catch(
      () => undefined,
    );
    return this.isAvailable;
  }

  private limit<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const giveUp = (): void => reject(new NoReplyError());
      const readSocketsFirst = (): unknown => setImmediate(giveUp);
      let timer = setTimeout(() => {
        timer = setTimeout(readSocketsFirst, REPLY_TIMEOUT_MS / 2);
      }, REPLY_TIMEOUT_MS / 2);
      work.then(resolve, reject).finally(() => clearTimeout(timer));
    });
  }

  /** @param error the reason why Redis is unavailable, or `undefined` if it is available */
  private report(error?: Error): void {
    if (this.isClosing || (error === undefined) === this.isAvailable) return;
    this.isAvailable = !error;
    if (!error) {
      this.lastError = undefined;
      this.logger.log('Redis is available again.');
      return;
    }
    this.outageCount++;
    this.logger.warn(`Redis is unavailable: ${error.message}`);
  }
}
