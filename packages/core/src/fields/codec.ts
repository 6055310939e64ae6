import { ValueTransformer } from 'typeorm';

/** Converts the values of a column, in SQL statements by `select()`, and in TypeORM by `from()` and `to()`. */
export interface Codec extends ValueTransformer {
  /** Returns the SQL expression that selects and converts a column. @param column the quoted name of the column */
  select(column: string): string;
}

const identity = (value: unknown): unknown => value;

/** Converts `numeric` to numbers. Fields of this type have at most 15 digits, which a number keeps exactly. */
export const NUMBER_CODEC: Codec = {
  select: (column) => `${column}::float8`,
  from: (value: string | number | null) => (value === null ? null : Number(value)),
  to: identity,
};

/**
 * Converts ids, which are `bigint`, to numbers. `SqlExecutor.query()` already returns numbers, but TypeORM returns
 * text.
 */
export const ID_CODEC: Codec = {
  select: (column) => column,
  from: (value: string | number | null) => (value === null ? null : Number(value)),
  to: identity,
};

/** Reads other `bigint` columns as text, as TypeORM does, because they may have more digits than a number holds. */
const BIGINT_CODEC: Codec = { select: (column) => `${column}::text`, from: identity, to: identity };

/** Converts `date` to text such as `2026-11-20`. */
export const DATE_CODEC: Codec = {
  select: (column) => `to_char(${column}, 'YYYY-MM-DD')`,
  from: identity,
  to: identity,
};

/**
 * Converts a time to UTC, with milliseconds. A time without an offset counts as UTC.
 * @throws RangeError if the time is malformed
 */
export const toUtcTimestamp = (time: string): string =>
  new Date(/(?:Z|[+-]\d{2}:?\d{2})$/i.test(time) ? time : `${time}Z`).toISOString();

/** Converts `timestamptz` to ISO 8601 in UTC, with milliseconds and `Z`. */
export const TIMESTAMP_CODEC = {
  select: (column) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  from: (value: Date | null) => value && value.toISOString(),
  // PostgreSQL gets the time in UTC, because RFC 3339 allows offsets that PostgreSQL rejects.
  to: (value: unknown) => (typeof value === 'string' ? toUtcTimestamp(value) : value),
} satisfies Codec;

/** The codecs for columns that no field declares, by the name of the type in PostgreSQL. */
const CODECS_BY_TYPE: Readonly<Record<string, Codec>> = {
  numeric: NUMBER_CODEC,
  bigint: BIGINT_CODEC,
  date: DATE_CODEC,
  'timestamp with time zone': TIMESTAMP_CODEC,
};

/** Returns the codec of a column, or `undefined` if the value from the driver needs no conversion. */
export function findCodec({
  type,
  isArray,
  transformer,
  isGenerated = false,
}: {
  readonly type: string;
  readonly isArray: boolean;
  readonly transformer?: unknown;
  /** Whether the database generates the value. Generated numbers are always small enough for a JavaScript number. */
  readonly isGenerated?: boolean;
}): Codec | undefined {
  if (transformer instanceof Object && 'select' in transformer) return transformer as Codec;
  if (isGenerated && type === 'bigint') return ID_CODEC;
  return isArray ? undefined : CODECS_BY_TYPE[type];
}
