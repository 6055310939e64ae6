import { ApiError } from './errors.js';
import { MAX_CONFLICTS, WRITABLE } from './operations.js';
import type { Result, WriteOptions } from './types.js';

/** A resource that a form shows: what a read resolves to, or of a row of a list `{ data: row, etag: row.etag }`. */
export interface Shown<Data> {
  readonly data: Data;
  readonly etag: string | null;
}

/** A form on something that is shown; made by {@link edit}. */
export interface Edit<Data, Fields> {
  /** The resource that the form shows: as it was read, then as it was written last. */
  readonly shown: Shown<Data>;
  /**
   * Writes the fields that differ from what is shown, unless somebody else has written since. Without any it writes
   * nothing. Saves run one after the other. If only fields have changed that the server owns, such as the rating that a
   * new review gives a product, nobody's work is at stake, and the save goes on with the new tag.
   *
   * @throws ApiError `PRECONDITION_FAILED`: what is shown is no longer there. Show it anew, by another `edit()`
   */
  save(fields: Fields): Promise<Shown<Data>>;
}

/**
 * Writes what a form changes with the tag of what the form shows, so that nobody's change is lost unseen.
 *
 * @example
 * const form = edit(await client.products.get(42), (fields, options) => client.products.patch(42, fields, options));
 * await form.save({ price: 45 });
 *
 * @param write a PATCH of the generated client: without fields it writes nothing, and says what is there now
 */
export function edit<Data extends object, Fields extends object>(
  shown: Shown<Data>,
  write: (fields: Fields, options: WriteOptions) => Promise<Result<Data>>,
): Edit<Data, Fields> {
  let current = shown;
  let last: Promise<unknown> = Promise.resolve();
  const writeChanged = async (fields: Fields): Promise<Shown<Data>> => {
    const isOther = ([name, value]: [string, unknown]): boolean =>
      JSON.stringify(value) !== JSON.stringify((current.data as Record<string, unknown>)[name]);
    const changed = Object.entries(fields).filter(isOther);
    for (let conflicts = 0; changed.length > 0; conflicts++) {
      try {
        return (current = await write(Object.fromEntries(changed) as Fields, { ifMatch: current.etag }));
      } catch (error) {
        const isOvertaken = error instanceof ApiError && error.code === 'PRECONDITION_FAILED';
        if (!isOvertaken || conflicts >= MAX_CONFLICTS) throw error;
        const now = await write({} as Fields, {});
        if (isRewritten(current.data, now)) throw error;
        current = now;
      }
    }
    return current;
  };
  return {
    get shown() {
      return current;
    },
    save(fields) {
      const given = structuredClone(fields);
      // With the tag that the one before it has brought.
      const saved = last.then(() => writeChanged(given));
      last = saved.catch(() => undefined);
      return saved;
    },
  };
}

/** Whether a field has changed that clients write. Of a custom `write`, which does not say which those are, any may be. */
function isRewritten<Data extends object>(
  shown: Data,
  now: Result<Data> & { readonly [WRITABLE]?: readonly string[] },
): boolean {
  const names = now[WRITABLE];
  if (!names) return true;
  const valuesOf = (data: object): string =>
    JSON.stringify(names.map((name) => (data as Record<string, unknown>)[name]));
  return valuesOf(shown) !== valuesOf(now.data);
}
