import { NO_ANSWER } from './database-error.js';
import { EndOfStatement, StatementText } from './statement-times.js';

/** A method `query()` of pg's client, in whichever of its ways it is called. */
export type Run = (...args: unknown[]) => unknown;

type Callback = (error: Error | null | undefined, result?: unknown) => void;

/** The statement in the arguments of `query()`; `undefined` for what is no statement of its own, such as a cursor. */
export function textOf([first]: unknown[]): StatementText | undefined {
  if (typeof first === 'string') return { text: first };
  const { text, submit } = first as Partial<StatementText> & { submit?: unknown };
  return typeof text === 'string' && typeof submit !== 'function' ? (first as StatementText) : undefined;
}

/** The arguments of `query()` for a statement that is not prepared under its name. */
export function withoutName([first, ...rest]: unknown[]): unknown[] {
  const { name, submit } = first as { name?: unknown; submit?: unknown };
  return name === undefined || submit !== undefined
    ? [first, ...rest]
    : [{ ...(first as object), name: undefined }, ...rest];
}

/**
 * Runs a statement, and says when it has ended: to its callback, where it has one, or by its promise. One that gets no
 * answer in time fails, and goes on in a connection that is then of no further use.
 *
 * @param withinMs 0: however long it takes
 */
export function observed(run: Run, args: unknown[], end: EndOfStatement, withinMs: number): unknown {
  const callback = args.at(-1);
  if (typeof callback === 'function') {
    const done = inTime(withinMs, (error, result) => {
      end(error);
      (callback as Callback)(error, result);
    });
    return run(...args.slice(0, -1), done);
  }
  return new Promise((resolve, reject) => {
    const done = inTime(withinMs, (error, result) => {
      end(error);
      if (error) reject(error);
      else resolve(result);
    });
    (run(...args) as Promise<unknown>).then((result) => {
      done(undefined, result);
    }, done);
  });
}

/**
 * A callback that is called once: with what comes, or with an error where nothing comes in time. A process that stood
 * still, as on a machine that was suspended, finds its timers due before it reads the answers that came in that time:
 * they are read first. The time-out of pg's own (`query_timeout`) would give them up.
 */
function inTime(withinMs: number, callback: Callback): Callback {
  let isDone = false;
  const done: Callback = (error, result) => {
    clearTimeout(timer);
    if (isDone) return;
    isDone = true;
    callback(error, result);
  };
  const late = (): void => {
    setImmediate(done, new Error(NO_ANSWER));
  };
  const timer = withinMs > 0 ? setTimeout(late, withinMs) : undefined;
  return done;
}
