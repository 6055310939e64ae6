import { pause, unlessAborted } from './deadline.js';

/** Delays requests so that only some run at once, and so that no window has more than the server's `RateLimit` allows. */
export class Gate {
  readonly #keepsToRate: boolean;
  readonly #atOnce: number;
  /** The current maximum. With `keepsToRate`, it is 1 until the first response tells the limit. */
  #most: number;
  readonly #waiting = new Set<() => void>();
  #active = 0;
  #window = windowOf();

  constructor(keepsToRate = false, atOnce = keepsToRate ? 16 : Infinity) {
    this.#keepsToRate = keepsToRate;
    this.#atOnce = atOnce;
    this.#most = keepsToRate ? 1 : atOnce;
  }

  /**
   * Runs the work when it is its turn.
   *
   * @param count how many requests the server counts it as
   * @throws the reason of the signal if it is aborted while the work waits
   */
  async pass<T extends { readonly response: Response }>(
    work: () => Promise<T>,
    signal: AbortSignal | undefined,
    count = 1,
  ): Promise<T> {
    while (this.#active >= this.#most) await this.#turn(signal);
    this.#active += 1;
    if (this.#active < this.#most) this.#wakeNext();
    try {
      for (;;) {
        const now = Date.now();
        const { endsAt, quota, ms } = this.#window;
        if (endsAt <= now) this.#window = { left: quota, endsAt: now + ms, quota, ms };
        const window = this.#window;
        if (window.left < Math.min(count, quota)) {
          // Waits at most a second at a time, because responses may say in the meantime that the window ends earlier.
          await pause(Math.min(window.endsAt - now, 1_000), signal);
          continue;
        }
        window.left -= Math.min(count, quota);
        const result = await work();
        this.#most = this.#atOnce;
        const said = windowOf(this.#keepsToRate ? result.response.headers : undefined);
        // Responses of one window may arrive in any order.
        window.left = Math.min(window.left, said.left);
        window.endsAt = Math.min(window.endsAt, said.endsAt);
        if (said.quota < Infinity) [window.quota, window.ms] = [said.quota, said.ms];
        // A 429 although there was room means that other clients of the caller have used up the window, so try again.
        if (result.response.status !== 429 || said.left >= count) return result;
      }
    } finally {
      this.#active -= 1;
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
      // Woken and aborted at the same time: pass the turn on.
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
}

/** Reads the window from the headers of a response. Without headers, it has no limits. */
function windowOf(headers?: Headers): { left: number; endsAt: number; quota: number; ms: number } {
  const told = `${headers?.get('ratelimit')} ${headers?.get('ratelimit-policy')}`;
  const [, left = Infinity, seconds = Infinity, quota = Infinity, length = Infinity] =
    /r=(\d+);t=(\d+).*q=(\d+);w=(\d+)/.exec(told)?.map(Number) ?? [];
  // Adds a second to the length, because the server rounds up the rest of a window.
  return { left, endsAt: Date.now() + seconds * 1000, quota, ms: (length + 1) * 1000 };
}
