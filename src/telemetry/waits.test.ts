import { setTimeout as sleep } from 'node:timers/promises';

import { currentWaiter, RequestWaits, SharedTurn, waitingFor } from './waits.js';

describe('the waits of a request', () => {
  it('count time in which several go on once, for the database first', async () => {
    const waits = new RequestWaits();
    const startedAt = performance.now();
    const endQueue = waits.begin('queue');
    await sleep(20);
    const ends = [waits.begin('database'), waits.begin('database')];
    await sleep(20);
    endQueue();
    ends[0]!();
    await sleep(20);
    ends[1]!();
    const elapsed = performance.now() - startedAt;
    const { queue, database, redis } = waits.ms;
    expect(queue).toBeGreaterThan(15);
    expect(database).toBeGreaterThan(35);
    expect(redis).toBe(0);
    expect(queue + database).toBeLessThanOrEqual(elapsed);
  });

  it('follow what a request begins, alone or together with others', async () => {
    const [one, other] = [new RequestWaits(), new RequestWaits()];
    const wait = async (): Promise<void> => {
      await sleep(1);
      const end = currentWaiter()?.begin('redis');
      await sleep(15);
      end?.();
    };
    const turn = new SharedTurn();
    for (const waiter of [one, other]) {
      waitingFor(waiter, () => {
        turn.join();
      });
    }
    await Promise.all([waitingFor(one, wait), turn.run(wait), wait()]);
    expect(one.ms.redis).toBeGreaterThan(10);
    expect(other.ms.redis).toBeGreaterThan(10);
    expect(currentWaiter()).toBeUndefined();
  });
});
