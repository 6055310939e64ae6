/** Provides the abort signal of one attempt. The signal is aborted by the time limit or by the caller's signal. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #caller: AbortSignal | undefined;
  readonly #onAbort = (): void => this.#controller.abort(this.#caller?.reason);
  /** Whether the time limit has passed. */
  isOver = false;

  /** @param timeoutMs 0 or Infinity for no limit */
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
   * Call this when the response has arrived. The time limit ends, but the caller's signal still aborts a stream.
   */
  stopClock(): void {
    clearTimeout(this.#timer);
  }

  /** Call this when the attempt has ended. */
  end(): void {
    this.stopClock();
    this.#caller?.removeEventListener('abort', this.#onAbort);
  }
}

/**
 * Resolves to the result of the work, or rejects if the signal is aborted first. Does not start the work if the signal
 * is aborted already. Does not stop running work, because other callers may wait for it.
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

/** Waits for a number of milliseconds. Rejects with the reason of the signal if the signal is aborted. */
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
