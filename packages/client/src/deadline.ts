/** An attempt's signal: aborted by the caller's, or when the time is up. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #caller: AbortSignal | undefined;
  readonly #onAbort = (): void => this.#controller.abort(this.#caller?.reason);
  isOver = false;

  /** @param timeoutMs 0 or Infinity: without an end */
  constructor(caller: AbortSignal | undefined, timeoutMs: number) {
    this.#caller = caller;
    if (caller?.aborted) this.#onAbort();
    else caller?.addEventListener('abort', this.#onAbort, { once: true });
    if (timeoutMs > 0 && timeoutMs < Infinity) {
      this.#timer = setTimeout(() => {
        this.isOver = true;
        this.#controller.abort();
      }, timeoutMs);
    }
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /**
   * To be called when there is an answer: the time is no longer up, and a stream still ends with the caller's signal.
   */
  stopClock(): void {
    clearTimeout(this.#timer);
  }

  /** To be called when the attempt has ended. */
  end(): void {
    this.stopClock();
    this.#caller?.removeEventListener('abort', this.#onAbort);
  }
}

/**
 * Resolves to the result of the work, unless the signal is aborted first. Work that is not begun by then is not; work that is goes
 * on: others may wait for it too.
 */
export async function unlessAborted<T>(
  begin: () => T | PromiseLike<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  if (!signal) return begin();
  signal.throwIfAborted();
  let onAbort = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => {
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([begin(), aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Waits; rejects with the reason of the signal when it is aborted. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
