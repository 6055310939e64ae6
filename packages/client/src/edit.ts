import { ApiError } from './errors.js';
import { MAX_CONFLICTS, WRITABLE } from './operations.js';
import type { Result, WriteOptions } from './types.js';

/** A resource that a form shows: the result of a read or, for a row of a list, `{ data: row, etag: row.etag }`. */
export interface Shown<Data> {
  readonly data: Data;
  readonly etag: string | null;
}

/** An edit form of a resource. Create it with {@link edit}. */
export interface Edit<Data, Fields> {
  /** The resource as it was read or, after a save, as it was last written. */
  readonly shown: Shown<Data>;
  /**
   * Writes the fields that differ from `shown`. Sends nothing if no field differs. Saves run one after the other.
   *
   * Fails if somebody else has changed a writable field since then. If only read-only fields have changed, such as the
   * rating of a product after a new review, the save cannot overwrite any work. It then tries again with the new tag.
   *
   * @throws ApiError `PRECONDITION_FAILED` if `shown` is outdated. Read the resource again, and create a new form for it
   */
  save(fields: Fields): Promise<Shown<Data>>;
}

/**
 * Prevents a form from overwriting changes that the user has not seen: each save sends the entity tag of the resource
 * that the form shows.
 *
 * @example
 * const form = edit(await client.products.get(42), (fields, options) => client.products.patch(42, fields, options));
 * await form.save({ price: 45 });
 *
 * @param write calls a PATCH of the generated client. If `fields` is empty, it must only return the current resource
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
      // Waits for the previous save, whose response has the new tag.
      const saved = last.then(() => writeChanged(given));
      last = saved.catch(() => undefined);
      return saved;
    },
  };
}

/**
 * Whether a writable field has changed. Always true for a custom `write`, whose result does not name writable fields.
 */
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
