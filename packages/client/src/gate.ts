import { pause, unlessAborted } from './deadline.js';

/** Requests at once of a client that keeps to the rate, unless it says how many. */
const AT_ONCE = 16;

/** Holds requests back: so many at once, and no more in a window than the server announces in `RateLimit`. */
export class Gate {
  readonly #most: number;
  readonly #keepsToRate: boolean;
  readonly #waiting = new Set<() => void>();
  #active = 0;
  /** As how many requests the server counts those under way. */
  #counted = 0;
  /** Requests left in the window of the server, which ends at `#endsAt`; and those that the next one has. */
  #left = Infinity;
  #endsAt = 0;
  #quota = Infinity;

  constructor(keepsToRate = false, most = keepsToRate ? AT_ONCE : Infinity) {
    this.#most = most;
    this.#keepsToRate = keepsToRate;
  }

  /** Does work when it is its turn. @param count as how many requests the server counts it @throws the signal's reason */
  async pass<T extends { readonly response: Response }>(
    work: () => Promise<T>,
    signal: AbortSignal | undefined,
    count = 1,
  ): Promise<T> {
    while (this.#active >= this.#most) await this.#turn(signal);
    this.#active += 1;
    this.#counted += count;
    try {
      const isFree = (): boolean => this.#left >= Math.min(count, this.#quota);
      while (!isFree() && this.#endsAt > Date.now()) await pause(this.#endsAt - Date.now(), signal);
      if (!isFree()) this.#left = this.#quota;
      this.#left -= Math.min(count, this.#quota);
      const result = await work();
      if (this.#keepsToRate) this.#read(result.response.headers, this.#counted - count);
      return result;
    } finally {
      this.#active -= 1;
      this.#counted -= count;
      this.#wakeNext();
    }
  }

  async #turn(signal: AbortSignal | undefined): Promise<void> {
    let wake = (): void => undefined;
    const turn = new Promise<void>((resolve) => {
      wake = resolve;
      this.#waiting.add(wake);
    });
    try {
      await unlessAborted(() => turn, signal);
    } catch (error) {
      // Woken and aborted at once: the turn is the next one's.
      if (!this.#waiting.delete(wake)) this.#wakeNext();
      throw error;
    }
  }

  #wakeNext(): void {
    const [next] = this.#waiting;
    if (!next) return;
    this.#waiting.delete(next);
    next();
  }

  #read(headers: Headers, others: number): void {
    const [, left, seconds] = /r=(\d+);t=(\d+)/.exec(headers.get('ratelimit') ?? '') ?? [];
    if (seconds === undefined) return;
    const endsAt = Date.now() + Number(seconds) * 1000;
    // Those under way may not be counted yet, and responses of one window come in any order.
    const announced = Number(left) - others;
    this.#left = endsAt < this.#endsAt + 1_500 ? Math.min(this.#left, announced) : announced;
    this.#endsAt = endsAt;
    this.#quota = Number(/q=(\d+)/.exec(headers.get('ratelimit-policy') ?? '')?.[1] ?? Infinity);
  }
}
