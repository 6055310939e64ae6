import { setImmediate as nextTurn } from 'node:timers/promises';

import fc from 'fast-check';

import { JoinedQueries } from './joined-queries.js';

interface Query {
  answer(value: string): void;
  fail(error: Error): void;
}

function queriesOf(): { queries: Query[]; ask: () => Promise<string> } {
  const queries: Query[] = [];
  const ask = (): Promise<string> =>
    new Promise((resolve, reject) => {
      queries.push({ answer: resolve, fail: reject });
    });
  return { queries, ask };
}

describe('joining', () => {
  test('the first question is asked at once', () => {
    const { queries, ask } = queriesOf();
    void new JoinedQueries<string>().ask('a', ask);
    expect(queries).toHaveLength(1);
  });

  test('those that come while it runs wait, and are one query', async () => {
    const { queries, ask } = queriesOf();
    const joined = new JoinedQueries<string>();
    const first = joined.ask('a', ask);
    const others = [joined.ask('a', ask), joined.ask('a', ask)];
    await nextTurn();
    others.push(joined.ask('a', ask));
    expect(queries).toHaveLength(1);
    queries[0]!.answer('old');
    expect(await first).toBe('old');
    await nextTurn();
    expect(queries).toHaveLength(2);
    queries[1]!.answer('new');
    expect(await Promise.all(others)).toEqual(['new', 'new', 'new']);
    expect(queries).toHaveLength(2);
  });

  test('other questions do not wait', () => {
    const { queries, ask } = queriesOf();
    const joined = new JoinedQueries<string>();
    void joined.ask('a', ask);
    void joined.ask('b', ask);
    expect(queries).toHaveLength(2);
  });

  test('nothing is kept: asked again later, it is asked again', async () => {
    const joined = new JoinedQueries<number>();
    let asked = 0;
    const ask = async (): Promise<number> => ++asked;
    expect(await joined.ask('a', ask)).toBe(1);
    expect(await joined.ask('a', ask)).toBe(2);
    const { running, waiting } = joined as unknown as {
      running: Map<string, unknown>;
      waiting: Map<string, unknown>;
    };
    expect(running.size + waiting.size).toBe(0);
  });
});

describe('errors', () => {
  test('reach everybody who waits for that query, and the next is asked all the same', async () => {
    const { queries, ask } = queriesOf();
    const joined = new JoinedQueries<string>();
    const first = joined.ask('a', ask);
    const second = Promise.allSettled([joined.ask('a', ask), joined.ask('a', ask)]);
    const error = new Error('connection lost');
    queries[0]!.fail(error);
    await expect(first).rejects.toBe(error);
    await nextTurn();
    const third = joined.ask('a', ask);
    queries[1]!.fail(error);
    expect(await second).toEqual(Array(2).fill({ status: 'rejected', reason: error }));
    await nextTurn();
    queries[2]!.answer('well again');
    expect(await third).toBe('well again');
  });
});

test('whatever the order, an answer is of a query that began after it was asked for, one at a time', async () => {
  const step = fc.record({
    key: fc.constantFrom('a', 'b'),
    turns: fc.nat({ max: 2 }),
    takes: fc.nat({ max: 3 }),
    fails: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
      const joined = new JoinedQueries<number>();
      const running = new Set<string>();
      let clock = 0;
      const answers: Promise<void>[] = [];
      for (const { key, turns, takes, fails } of steps) {
        const askedAt = ++clock;
        const ask = async (): Promise<number> => {
          const startedAt = ++clock;
          expect(running.has(key)).toBe(false);
          running.add(key);
          for (let turn = 0; turn < takes; turn++) await nextTurn();
          running.delete(key);
          if (fails) throw Object.assign(new Error('failed'), { startedAt });
          return startedAt;
        };
        const startOf = (error: { startedAt: number }): number => error.startedAt;
        answers.push(
          joined
            .ask(key, ask)
            .catch(startOf)
            .then((startedAt) => expect(startedAt).toBeGreaterThan(askedAt)),
        );
        for (let turn = 0; turn < turns; turn++) await nextTurn();
      }
      await Promise.all(answers);
    }),
    { numRuns: 60 },
  );
});
