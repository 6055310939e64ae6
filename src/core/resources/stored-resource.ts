import { ApiError } from '../http/errors/api-error.js';
import { ErrorType } from '../http/errors/catalogue.js';
import { ResourceDefinition } from './resource.js';
import { RowKey } from '../database/write-sql.js';

export interface Versioned {
  /** Counts the changes of the row, from 1. */
  readonly version: number;
  /** ISO 8601 in UTC, of the last change. */
  readonly updatedAt: string;
}

export interface VersionedRow extends Versioned {
  readonly id: number;
  readonly createdAt: string;
}

export type StoredResource<Row extends object> = Pick<
  ResourceDefinition<Row>,
  'entity' | 'notFound' | 'constraints'
>;

/** Which row is meant: its id, and what else must be true of it, such as whose it is: `{ id: 9, productId: 1 }`. */
export type Key<Row extends { readonly id: number }> =
  | Row['id']
  | (Partial<Row> & { readonly id: Row['id'] });

export function idOf<Row extends { readonly id: number }>(key: Key<Row>): Row['id'] {
  return typeof key === 'object' ? key.id : key;
}

export const rowKey = (key: Key<VersionedRow>): RowKey =>
  typeof key === 'object' ? { ...key } : { id: key };

/** Whether everything that a key says is true of a row. */
export function matches<Row extends VersionedRow>(row: Row, key: Key<Row>): boolean {
  if (typeof key !== 'object') return true;
  const properties = Object.keys(key) as (keyof Row)[];
  return properties.every((property) => row[property] === (key as Partial<Row>)[property]);
}

export function missing(notFound: ErrorType, id: number): ApiError {
  return new ApiError(notFound, id > 0 ? `${notFound.summary} (id ${id})` : undefined);
}
