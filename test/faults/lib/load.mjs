import { flawOf } from './http.mjs';
import { until } from './waiting.mjs';
import { Writer } from './writers.mjs';

/** What came back: counted, and judged where no answer may ever be as it is. */
class Tally {
  statuses = new Map();
  /** Answers of 500, or without the envelope. */
  bad = [];
  /** Answers that were well formed, and wrong. */
  wrong = [];
  /** Requests without an answer, by reason. */
  dropped = new Map();

  answer(request, answer) {
    this.statuses.set(answer.status, (this.statuses.get(answer.status) ?? 0) + 1);
    const flaw = flawOf(answer);
    if (flaw) this.bad.push(`${request} ${flaw}`);
  }

  drop({ reason }) {
    this.dropped.set(reason, (this.dropped.get(reason) ?? 0) + 1);
  }

  /** Requests that were sent and not answered; those that nobody listened to are not among them. */
  get cut() {
    let sum = 0;
    for (const [reason, count] of this.dropped) if (reason !== 'ECONNREFUSED') sum += count;
    return sum;
  }

  describe() {
    return [...this.statuses, ...this.dropped].map(([what, count]) => `${what}×${count}`).join(' ');
  }
}

/** Writers that work side by side. */
export class Load {
  tally = new Tally();
  #stop = { isStopped: false };

  /**
   * @param options `writers`: how many; `random`; `target`: `{ port }`, the shop's service unless told otherwise;
   *   `faults`, `mix`: see `Writer`
   */
  constructor(shop, { writers = 20, target = shop.service, random, faults, mix }) {
    this.ledger = shop.ledger;
    this.before = this.ledger.acknowledged;
    const make = () => new Writer(shop, target, { random: random.fork(), tally: this.tally, faults, mix });
    this.writers = Array.from({ length: writers }, make);
    this.done = Promise.all(this.writers.map((writer) => writer.run(this.#stop)));
    // Whoever stops the load hears of it.
    this.done.catch(() => undefined);
  }

  /** Writes acknowledged since it began. */
  get acknowledged() {
    return this.ledger.acknowledged - this.before;
  }

  /** Until so many more writes were acknowledged: the service works. */
  async progress(count = 20) {
    const goal = this.acknowledged + count;
    await until(`${count} more writes are acknowledged`, () => this.acknowledged >= goal, { seconds: 30 });
  }

  /** Lets everybody end what they are doing. */
  async stop() {
    this.#stop.isStopped = true;
    await this.done;
    for (const writer of this.writers) writer.close();
  }
}
