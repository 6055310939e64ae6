import { ThrottlerStorage } from '@nestjs/throttler';

import { CounterStorage } from './counter-storage.js';

type Hit = Parameters<ThrottlerStorage['increment']>;
type ThrottlerRecord = Awaited<ReturnType<ThrottlerStorage['increment']>>;

/**
 * The `ThrottlerStorage` of the service. It uses the counters of the service, which all instances share if `REDIS_URL`
 * is set. The service counts requests with this storage. A guard of the application can use it, too.
 * @example constructor(@InjectThrottlerStorage() private readonly storage: ThrottlerStorage) {}
 */
export class CounterThrottlerStorage implements ThrottlerStorage {
  constructor(private readonly counters: CounterStorage) {}

  increment(...hit: Hit): Promise<ThrottlerRecord> {
    return this.incrementBy(1, ...hit);
  }

  /** Counts several requests at once: all of them or, if they would exceed the limit, none. */
  async incrementBy(times: number, ...[key, ttl, limit, blockDuration, name]: Hit): Promise<ThrottlerRecord> {
    const counter = this.counters.counter(`throttler-${name}`, ttl, blockDuration);
    const { hits, msLeft } = await counter.hit(key, times, limit);
    const seconds = Math.ceil(msLeft / 1000);
    const isBlocked = hits > limit;
    return {
      totalHits: hits,
      timeToExpire: seconds,
      isBlocked,
      timeToBlockExpire: isBlocked ? seconds : 0,
    };
  }
}
