import { setImmediate as turn } from 'node:timers/promises';

import { CountBatches } from './count-batches.js';
import { Asked } from './messages.js';
import { PrimaryCounts } from './primary-counts.js';

const hit = (key: string): Asked => ['requests', 60_000, key, 1];

describe('counts that workers ask for', () => {
  let sent: (readonly [batch: number, asked: readonly Asked[]])[];
  let batches: CountBatches;
  beforeEach(() => {
    sent = [];
    batches = new CountBatches((...message) => sent.push(message));
  });

  const untilSent = async (count: number): Promise<void> => {
    while (sent.length < count) await turn();
  };

  it('go in one message when they are asked for at once, or while one is under way', async () => {
    const primary = new PrimaryCounts();
    const answer = (index: number): void => {
      const [batch, asked] = sent[index] ?? [0, []];
      batches.answered(batch, primary.count(asked));
    };
    const first = Promise.all(['a', 'b', 'a'].map((key) => batches.ask(hit(key))));
    await untilSent(1);
    const second = Promise.all(['a', 'c'].map((key) => batches.ask(hit(key))));
    for (let i = 0; i < 20; i++) await turn();
    const third = batches.ask(['requests', 60_000, 'a', 0]);
    expect(sent.map(([, asked]) => asked.length)).toEqual([3]);
    answer(0);
    expect((await first).map(({ hits }) => hits)).toEqual([1, 1, 2]);
    await untilSent(2);
    expect(sent.map(([, asked]) => asked.length)).toEqual([3, 3]);
    answer(1);
    expect((await second).map(({ hits }) => hits)).toEqual([3, 1]);
    expect(await third).toMatchObject({ hits: 3 });
  });

  it('fail where no answer comes, those that wait for the next message too', async () => {
    const first = batches.ask(hit('a'));
    await untilSent(1);
    const second = batches.ask(hit('b'));
    const outcomes = await Promise.allSettled([first, second]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    // An answer that comes too late is nobody's.
    batches.answered(sent[0]?.[0] ?? 0, [1, 1]);
    const third = batches.ask(hit('a'));
    await untilSent(2);
    batches.answered(sent[1]?.[0] ?? 0, [7, 500]);
    expect(await third).toEqual({ hits: 7, msLeft: 500 });
  });
});
