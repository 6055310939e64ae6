import { flawOf } from './http.mjs';
import { until } from './waiting.mjs';
import { Writer } from './writers.mjs';

/** Counts responses, and records those that no fault excuses. */
class Tally {
  statuses = new Map();
  /** Responses of 500, or without the error envelope. */
  bad = [];
  /** Responses that were well formed but wrong. */
  wrong = [];
  /** Requests without a response, by reason. */
  dropped = new Map();

  answer(request, answer) {
    this.statuses.set(answer.status, (this.statuses.get(answer.status) ?? 0) + 1);
    const flaw = flawOf(answer);
    if (flaw) this.bad.push(`${request} ${flaw}`);
  }

  drop({ reason }) {
    this.dropped.set(reason, (this.dropped.get(reason) ?? 0) + 1);
  }

  /** Requests that were sent but not answered. Refused connections do not count. */
  get cut() {
    let sum = 0;
    for (const [reason, count] of this.dropped) if (reason !== 'ECONNREFUSED') sum += count;
    return sum;
  }

  describe() {
    return [...this.statuses, ...this.dropped].map(([what, count]) => `${what}×${count}`).join(' ');
  }
}

/** Concurrent writers. */
export class Load {
  tally = new Tally();
  #stop = { isStopped: false };

  /**
   * @param options `writers`: their number; `random`; `target`: `{ port }`, by default the service of the
   * shop; `faults`, `mix`: see `Writer`
   */
  constructor(shop, { writers = 20, target = shop.service, random, faults, mix }) {
    this.ledger = shop.ledger;
    this.before = this.ledger.acknowledged;
    const make = () => new Writer(shop, target, { random: random.fork(), tally: this.tally, faults, mix });
    this.writers = Array.from({ length: writers }, make);
    this.done = Promise.all(this.writers.map((writer) => writer.run(this.#stop)));
    // The error is thrown when the load is stopped.
    this.done.catch(() => undefined);
  }

  /** The number of acknowledged writes since the start. */
  get acknowledged() {
    return this.ledger.acknowledged - this.before;
  }

  /**
   * Waits until the given number of further writes has been acknowledged, which shows that the service works.
   */
  async progress(count = 20) {
    const goal = this.acknowledged + count;
    await until(`${count} more writes are acknowledged`, () => this.acknowledged >= goal, { seconds: 30 });
  }

  /** Stops the writers after their current requests. */
  async stop() {
    this.#stop.isStopped = true;
    await this.done;
    for (const writer of this.writers) writer.close();
  }
}
