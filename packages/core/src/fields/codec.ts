import { ValueTransformer } from 'typeorm';

/** How a column's values become its property's: in SQL, and as a TypeORM transformer. PostgreSQL compares its own. */
export interface Codec extends ValueTransformer {
  /** An SQL expression for the value of a column. @param column quoted */
  select(column: string): string;
}

const identity = (value: unknown): unknown => value;

/** `numeric` and `bigint` as numbers: fields of these types hold no value that a double cannot. */
export const NUMBER_CODEC: Codec = {
  select: (column) => `${column}::float8`,
  from: (value: string | number | null) => (value === null ? null : Number(value)),
  to: identity,
};

/** `date` as `2026-11-20`. */
export const DATE_CODEC: Codec = {
  select: (column) => `to_char(${column}, 'YYYY-MM-DD')`,
  from: identity,
  to: identity,
};

/** A time as ISO 8601 in UTC, to the millisecond. Without an offset it is in UTC. @throws RangeError for text of another form */
export const toUtcTimestamp = (time: string): string =>
  new Date(/(?:Z|[+-]\d{2}:?\d{2})$/i.test(time) ? time : `${time}Z`).toISOString();

/** `timestamptz` as ISO 8601: UTC, milliseconds, `Z`. */
export const TIMESTAMP_CODEC = {
  select: (column) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  from: (value: Date | null) => value && value.toISOString(),
  // In UTC: RFC 3339 has offsets that PostgreSQL refuses.
  to: (value: unknown) => (typeof value === 'string' ? toUtcTimestamp(value) : value),
} satisfies Codec;

/** Codecs of columns that no field declares, by the type as PostgreSQL names it. */
const CODECS_BY_TYPE: Readonly<Record<string, Codec>> = {
  numeric: NUMBER_CODEC,
  date: DATE_CODEC,
  'timestamp with time zone': TIMESTAMP_CODEC,
};

/** The codec of a column; `undefined` where the driver gives the value as it is. */
export function findCodec({
  type,
  isArray,
  transformer,
  isGenerated = false,
}: {
  readonly type: string;
  readonly isArray: boolean;
  readonly transformer?: unknown;
  /** Whether the database gives the value: what it counts up gets nowhere near what a double cannot hold. */
  readonly isGenerated?: boolean;
}): Codec | undefined {
  if (transformer instanceof Object && 'select' in transformer) return transformer as Codec;
  if (isGenerated && type === 'bigint') return NUMBER_CODEC;
  return isArray ? undefined : CODECS_BY_TYPE[type];
}
