import { Tally } from './tally.mjs';
import { until } from './waiting.mjs';
import { Writer } from './writers.mjs';

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
  async progress(count = 20, seconds = 30) {
    const goal = this.acknowledged + count;
    await until(`${count} more writes are acknowledged`, () => this.acknowledged >= goal, { seconds });
  }

  /** Lets everybody end what they are doing. */
  async stop() {
    this.#stop.isStopped = true;
    await this.done;
    for (const writer of this.writers) writer.close();
  }
}
