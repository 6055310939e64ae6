import { setImmediate as nextTurn } from 'node:timers/promises';

import fc from 'fast-check';

import { BatchLoader } from './batch-loader.js';
import { ConnectionFailedError } from './database-error.js';

/** A running query. The test decides whether it succeeds or fails. */
interface Query {
  readonly keys: readonly number[];
  answer(values?: ReadonlyMap<number, string>): void;
  fail(error: Error): void;
}

function loaderWithQueries(concurrency?: number): { loader: BatchLoader<number, string>; queries: Query[] } {
  const queries: Query[] = [];
  const loadAll = (keys: number[]): Promise<ReadonlyMap<number, string>> =>
    new Promise((resolve, reject) => {
      const all = new Map(keys.map((key) => [key, `row ${key}`]));
      queries.push({ keys, answer: (values = all) => resolve(values), fail: reject });
    });
  return { loader: new BatchLoader(loadAll, concurrency), queries };
}

/** Waits until look-ups that arrived together have been sent. No other look-up may follow. */
async function nextTurns(): Promise<void> {
  await nextTurn();
  await nextTurn();
}

const keysOf = (queries: readonly Query[]): (readonly number[])[] => queries.map(({ keys }) => keys);

describe('the batch loader', () => {
  test('sends the look-ups of one tick as one query, with each key once', async () => {
    const { loader, queries } = loaderWithQueries();
    const answers = Promise.all([loader.load(1), loader.load(2), loader.load(1)]);
    expect(queries).toEqual([]);
    await nextTurns();
    expect(keysOf(queries)).toEqual([[1, 2]]);
    queries[0]!.answer();
    expect(await answers).toEqual(['row 1', 'row 2', 'row 1']);
  });

  test('returns undefined for a key without a value', async () => {
    const { loader, queries } = loaderWithQueries();
    const answer = loader.load(1);
    await nextTurn();
    queries[0]!.answer(new Map());
    expect(await answer).toBeUndefined();
  });

  test('gathers keys while the maximum of queries is running, and sends them together', async () => {
    const { loader, queries } = loaderWithQueries(2);
    for (const key of [1, 2, 3, 4, 5]) {
      void loader.load(key);
      await nextTurn();
    }
    expect(keysOf(queries)).toEqual([[1], [2]]);
    queries[0]!.answer();
    await nextTurn();
    await nextTurns();
    expect(keysOf(queries)).toEqual([[1], [2], [3, 4, 5]]);
  });

  test('sends a single key at once, and waits some turns for more if several arrive', async () => {
    const { loader, queries } = loaderWithQueries(2);
    void loader.load(1);
    await nextTurn();
    expect(keysOf(queries)).toEqual([[1]]);
    let key = 2;
    void loader.load(key++);
    while (queries.length === 1) {
      void loader.load(key++);
      await nextTurn();
    }
    expect(queries[1]!.keys.length).toBeGreaterThan(3);
    expect(queries[1]!.keys.length).toBeLessThan(20);
  });
});

test('never answers a look-up from a query that started before it', async () => {
  const step = fc.record({ key: fc.nat({ max: 3 }), turns: fc.nat({ max: 2 }), takes: fc.nat({ max: 3 }) });
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 20 }),
      fc.integer({ min: 1, max: 3 }),
      async (steps, concurrency) => {
        let clock = 0;
        let running = 0;
        const durations = steps.map(({ takes }) => takes);
        const loader = new BatchLoader<number, number>(async (keys) => {
          const startedAt = ++clock;
          expect(++running).toBeLessThanOrEqual(concurrency);
          for (let turn = durations.pop() ?? 0; turn > 0; turn--) await nextTurn();
          running--;
          return new Map(keys.map((key) => [key, startedAt]));
        }, concurrency);
        const answers: Promise<void>[] = [];
        for (const { key, turns } of steps) {
          const askedAt = ++clock;
          answers.push(loader.load(key).then((startedAt) => expect(startedAt).toBeGreaterThan(askedAt)));
          for (let turn = 0; turn < turns; turn++) await nextTurn();
        }
        await Promise.all(answers);
      },
    ),
    { numRuns: 60 },
  );
});

describe('an error of the batch loader', () => {
  test('rejects the look-ups of the failed query, and no others', async () => {
    const { loader, queries } = loaderWithQueries();
    const failing = Promise.allSettled([loader.load(1), loader.load(1), loader.load(2)]);
    await nextTurns();
    const other = loader.load(3);
    await nextTurn();
    const error = new Error('connection lost');
    queries[0]!.fail(error);
    queries[1]!.answer();
    expect(await failing).toEqual(Array(3).fill({ status: 'rejected', reason: error }));
    expect(await other).toBe('row 3');
  });

  test('lets the waiting look-ups be sent', async () => {
    const { loader, queries } = loaderWithQueries(1);
    const first = loader.load(1);
    await nextTurn();
    const second = loader.load(2);
    queries[0]!.fail(new Error('connection lost'));
    await expect(first).rejects.toThrow('connection lost');
    await nextTurn();
    queries[1]!.answer();
    expect(await second).toBe('row 2');
  });

  test('that is thrown synchronously rejects the look-up', async () => {
    const loader = new BatchLoader<number, string>(() => {
      throw new Error('pool is closed');
    });
    await expect(loader.load(1)).rejects.toThrow('pool is closed');
    await expect(loader.load(1)).rejects.toThrow('pool is closed');
  });
});

test('the batch loader rejects waiting look-ups too if no connection is available', async () => {
  const { loader, queries } = loaderWithQueries(1);
  const running = loader.load(1);
  await nextTurns();
  const waiting = loader.load(2);
  queries[0]!.fail(new ConnectionFailedError(undefined));
  await expect(running).rejects.toThrow(ConnectionFailedError);
  await expect(waiting).rejects.toThrow(ConnectionFailedError);
  await nextTurns();
  expect(keysOf(queries)).toEqual([[1]]);
  const later = loader.load(3);
  await nextTurns();
  queries[1]!.answer();
  expect(await later).toBe('row 3');
});
