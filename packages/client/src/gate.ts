import { pause, unlessAborted } from './deadline.js';

/** Holds requests back: so many at once, and no more in a window than the server announces in `RateLimit`. */
export class Gate {
  readonly #keepsToRate: boolean;
  readonly #atOnce: number;
  /** With `keepsToRate` one goes alone until there is a response. */
  #most: number;
  readonly #waiting = new Set<() => void>();
  #active = 0;
  #window = windowOf();

  constructor(keepsToRate = false, atOnce = keepsToRate ? 16 : Infinity) {
    this.#keepsToRate = keepsToRate;
    this.#atOnce = atOnce;
    this.#most = keepsToRate ? 1 : atOnce;
  }

  /** Does work when it is its turn. @param count as how many requests the server counts it @throws the signal's reason */
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
          // Responses may say meanwhile that it ends earlier.
          await pause(Math.min(window.endsAt - now, 1_000), signal);
          continue;
        }
        window.left -= Math.min(count, quota);
        const result = await work();
        this.#most = this.#atOnce;
        const said = windowOf(this.#keepsToRate ? result.response.headers : undefined);
        // Responses of one window come in any order.
        window.left = Math.min(window.left, said.left);
        window.endsAt = Math.min(window.endsAt, said.endsAt);
        if (said.quota < Infinity) [window.quota, window.ms] = [said.quota, said.ms];
        // Where it is refused, other clients of the caller have used the window up.
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
}

/** The window that a response tells of, or one without limits. */
function windowOf(headers?: Headers): { left: number; endsAt: number; quota: number; ms: number } {
  const told = `${headers?.get('ratelimit')} ${headers?.get('ratelimit-policy')}`;
  const [, left = Infinity, seconds = Infinity, quota = Infinity, length = Infinity] =
    /r=(\d+);t=(\d+).*q=(\d+);w=(\d+)/.exec(told)?.map(Number) ?? [];
  // The server rounds up what is left of a window: a second more is none that it says.
  return { left, endsAt: Date.now() + seconds * 1000, quota, ms: (length + 1) * 1000 };
}
