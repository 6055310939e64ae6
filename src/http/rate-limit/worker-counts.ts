import { Count } from './counter.js';

/**
 * The counts that the workers of a service share (`WORKERS`): inject it, as optional, by this class. A service of one
 * process has none.
 */
export abstract class WorkerCounts {
  /**
   * Counts a hit of a key (`isHit` 1), or looks up its count, over all workers.
   *
   * @throws Error where the primary does not answer within a second
   */
  abstract count(counter: string, windowMs: number, key: string, isHit: 0 | 1): Promise<Count>;
}
