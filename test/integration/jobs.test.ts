import { setTimeout as sleep } from 'node:timers/promises';

import { eventually } from '@plinth/dev/testing';

import { Database } from '../../packages/core/src/database/database.js';
import { Jobs } from '../../packages/core/src/jobs/jobs.js';
import { Elsewhere, Exports, until, useQueues } from '../support/queues.js';

describe('a job', () => {
  const { app, get, add, states } = useQueues();
  let exports: Exports;
  beforeAll(() => {
    exports = get(Exports);
  });

  it('runs after the commit, with its data and an id', async () => {
    const id = await get(Database).transaction(async (tx) => {
      const added = await get(Jobs).add(tx, 'exports', { at: new Date(0), of: ['x'] });
      await sleep(100);
      expect(exports.runs).toEqual([]);
      return added;
    });
    await until(() => exports.runs.length === 1);
    expect(exports.runs[0]).toMatchObject({
      id,
      queueName: 'exports',
      data: { at: '1970-01-01T00:00:00.000Z', of: ['x'] },
      attemptsMade: 0,
      opts: { attempts: 5 },
      failedReason: undefined,
    });
    await eventually(states, 'completed', 10_000);
  });

  it('is not stored if the transaction is rolled back', async () => {
    const work = get(Database).transaction(async (tx) => {
      await get(Jobs).add(tx, 'exports', {});
      throw new Error('no');
    });
    await expect(work).rejects.toThrow('no');
    expect(await states()).toBe('');
  });

  it('waits for its delay', async () => {
    await add({ n: 1 }, { delay: 3_600_000 });
    await add({ n: 2 });
    await until(() => exports.runs.length === 1);
    expect(exports.runs[0]?.data).toEqual({ n: 2 });
    const [{ wait } = {}] = await app.query<{ wait: number }>(
      `select extract(epoch from start_after - created_on)::float8 as wait from pgboss.job where state = 'created'`,
    );
    expect(wait).toBe(3_600);
  });

  it('is added once as long as a job with the same jobId is stored', async () => {
    const ids = [await add({}, { jobId: 'a' }), await add({}, { jobId: 'a' }), await add({}, { jobId: 'b' })];
    expect(ids).toEqual([expect.any(String), null, expect.any(String)]);
    await until(() => exports.runs.length === 2);
    expect(await add({}, { jobId: 'a' }, 'elsewhere')).toBe(ids[0]);
  });

  it('is added once in each period of its deduplication', async () => {
    const deduplication = { id: 'a', ttl: 3_600_000 };
    expect(await add({}, { deduplication })).not.toBeNull();
    expect(await add({}, { deduplication })).toBeNull();
    expect(await add({}, { deduplication: { ...deduplication, id: 'b' } })).not.toBeNull();
  });

  it('runs at the same time as only as many others as `concurrency` says', async () => {
    const ends: (() => void)[] = [];
    exports.work = () => new Promise<void>((resolve) => ends.push(resolve));
    for (const n of [1, 2, 3, 4]) await add({ n });
    await until(() => exports.runs.length === 2);
    await sleep(200);
    expect(exports.runs).toHaveLength(2);
    ends[0]?.();
    await until(() => exports.runs.length === 3);
    for (const end of ends) end();
    await until(() => exports.runs.length === 4);
    for (const end of ends) end();
    await eventually(states, 'completed,completed,completed,completed', 10_000);
  });

  it('is kept for another process if this process does not run its queue', async () => {
    await add({}, {}, 'elsewhere');
    await add({});
    await until(() => exports.runs.length === 1);
    expect(get(Elsewhere).runs).toEqual([]);
    expect(await states()).toMatch(/^created,/);
  });
});
