import { Count } from './counter.js';
import { WindowCounter } from './window-counter.js';
import { ReportedCounter } from './worker-counter.js';
import { WorkerCounts } from './worker-counts.js';

/** The counts of all workers, in this process. */
class Shared extends WorkerCounts {
  readonly told: number[] = [];
  private readonly counter = new WindowCounter(60_000);

  count(_counter: string, _windowMs: number, key: string, hits: number): Promise<Count> {
    this.told.push(hits);
    return Promise.resolve(this.counter.hit(key, hits));
  }
}

const until = async (isThere: () => boolean): Promise<void> => {
  while (!isThere()) await new Promise((resolve) => setTimeout(resolve, 5));
};

it('counts that nobody waits for are told to the primary together, and those of other workers are learnt', async () => {
  const shared = new Shared();
  const [one, other] = [0, 1].map(() => new ReportedCounter(shared, 'addresses', 60_000)) as [
    ReportedCounter,
    ReportedCounter,
  ];
  for (let hits = 1; hits <= 100; hits++) expect(one.hit('a').hits).toBe(hits);
  await until(() => shared.told.length > 0);
  expect(other.hit('a').hits).toBe(1);
  await until(() => other.peek('a').hits === 101);
  expect(shared.told).toEqual([100, 1]);
});
