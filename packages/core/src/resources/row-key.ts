import { RowKey } from '../database/write-sql.js';
import {
  failedPrecondition,
  PRECONDITION_MESSAGES,
  WritePreconditions,
} from '../http/caching/preconditions.js';
import { ApiError } from '../http/errors/api-error.js';
import { HttpErrors } from '../http/errors/http.errors.js';
import { Key, VersionedRow } from './resource.js';

/** Returns the values that identify a row. */
export const toRowKey = (key: Key<VersionedRow>): RowKey =>
  typeof key === 'object' ? { ...key } : { id: key };

export const idFromKey = (key: Key<VersionedRow>): number => (typeof key === 'object' ? key.id : key);

/** Returns the row if the preconditions hold for it. @throws ApiError `PRECONDITION_FAILED` */
export function assertPreconditions<Row extends VersionedRow>(row: Row, conditions: WritePreconditions): Row {
  const { version, updatedAt } = row;
  const failed = failedPrecondition(conditions, { version, updatedAtMs: Date.parse(updatedAt) });
  if (!failed) return row;
  throw new ApiError(HttpErrors.PRECONDITION_FAILED, PRECONDITION_MESSAGES[failed]);
}

/**
 * The maximum number of attempts to write a row. If another request changes the row during each of them, there is a
 * bug.
 */
const MAX_RACES = 20;

/**
 * Repeats a write as long as it returns `undefined`, which means that another request changed the row between the two
 * statements of the write.
 */
export async function retryOnRace<T>(
  table: string,
  key: Key<VersionedRow>,
  write: () => Promise<T | undefined>,
): Promise<T> {
  for (let race = 0; race < MAX_RACES; race++) {
    const result = await write();
    if (result !== undefined) return result;
  }
  throw new Error(
    `could not write ${table} ${idFromKey(key)}: the row changed during each of ${MAX_RACES} attempts`,
  );
}
