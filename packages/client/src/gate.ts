import { pause, unlessAborted } from './deadline.js';

/**
 * Delays requests. Limits how many requests run at once and, with `keepsToRate`, how many are sent in each window of the
 * server's rate limit.
 */
export class Gate {
  readonly #keepsToRate: boolean;
  readonly #atOnce: number;
  /**
   * How many requests may run at once now. With `keepsToRate`, this is 1 until the first response contains the limit.
   */
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
   * Waits until the limits allow another request, then runs the work.
   *
   * @param count the number of requests that the server counts for the work
   * @throws the reason of the signal if the signal is aborted during the wait
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
          // Waits at most a second at a time, because a response may arrive that shortens the window.
          await pause(Math.min(window.endsAt - now, 1_000), signal);
          continue;
        }
        window.left -= Math.min(count, quota);
        const result = await work();
        this.#most = this.#atOnce;
        const said = windowOf(this.#keepsToRate ? result.response.headers : undefined);
        // Keeps the lowest values, because responses of one window may arrive in any order.
        window.left = Math.min(window.left, said.left);
        window.endsAt = Math.min(window.endsAt, said.endsAt);
        if (said.quota < Infinity) [window.quota, window.ms] = [said.quota, said.ms];
        // Other clients of the same caller have used up the window: wait for the next one, and try again.
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
      // This request was aborted after it had been woken: give its turn to the next request.
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

/** Reads the window from the headers of a response. Without headers, the window has no limits. */
function windowOf(headers?: Headers): { left: number; endsAt: number; quota: number; ms: number } {
  const told = `${headers?.get('ratelimit')} ${headers?.get('ratelimit-policy')}`;
  const [, left = Infinity, seconds = Infinity, quota = Infinity, length = Infinity] =
    /r=(\d+);t=(\d+).*q=(\d+);w=(\d+)/.exec(told)?.map(Number) ?? [];
  // Adds a second to the length, because the server rounds the remaining time of a window up to full seconds.
  return { left, endsAt: Date.now() + seconds * 1000, quota, ms: (length + 1) * 1000 };
}
