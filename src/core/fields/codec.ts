import { ValueTransformer } from 'typeorm';

/**
 * How the values of a column become those that its property declares: in SQL, for the statements that this code writes
 * (nothing is left to convert in JavaScript), and as a TypeORM transformer, for `Repository` and query builders. Values
 * are written and compared by PostgreSQL, as the column's own type. Only a codec that a column declares as its
 * `transformer` is known to TypeORM, which gives what `codecOf` adds by the type as the driver does.
 */
export interface Codec extends ValueTransformer {
  /** An SQL expression for the value of a column. @param column quoted */
  select(column: string): string;
  /** Does the same in less time, for rows that are read as arrays. Left out: `select`. */
  readonly raw?: RawColumn;
}

/** A value that PostgreSQL hands out nearly as it is stored, and JavaScript completes. */
export interface RawColumn {
  /** An SQL expression. @param column quoted */
  select(column: string): string;
  /** @param value as the driver gives it, never null */
  readonly read: (value: string) => unknown;
}

const asItIs = (value: unknown): unknown => value;

/** A codec for arrays of what `codec` is for one of. */
export function arrayCodec(codec: Codec | undefined): Codec | undefined {
  if (!codec) return undefined;
  return {
    select: (column) =>
      `case when ${column} is not null then array(select ${codec.select('"item"')} from unnest(${column}) with ordinality as "items"("item", "place") order by "place") end`,
    from: (values: unknown[] | null) => values && values.map((value) => codec.from(value) as unknown),
    to: (values: unknown) =>
      Array.isArray(values) ? values.map((value) => codec.to(value) as unknown) : values,
  };
}

/** `numeric` and `bigint` as numbers: fields of these types hold no value that a double cannot. */
export const NUMBER: Codec = {
  select: (column) => `${column}::float8`,
  // The cast would write the number as text, and read that.
  raw: { select: (column) => column, read: Number },
  from: (value: string | number | null) => (value === null ? null : Number(value)),
  to: asItIs,
};

/** `date` as `2026-11-20`. */
export const DATE: Codec = {
  select: (column) => `to_char(${column}, 'YYYY-MM-DD')`,
  // TypeORM makes text of a date, but not of those in an array: the driver reads them as midnight of the local zone.
  from: (value: Date | string | null) => (value instanceof Date ? dayOf(value) : value),
  to: asItIs,
};

const dayOf = (midnight: Date): string =>
  [
    String(midnight.getFullYear()).padStart(4, '0'),
    String(midnight.getMonth() + 1).padStart(2, '0'),
    String(midnight.getDate()).padStart(2, '0'),
  ].join('-');

/** `timestamptz` as ISO 8601: UTC, milliseconds, `Z`. */
export const TIMESTAMP = {
  select: (column) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  raw: { select: (column) => `(${column} at time zone 'UTC')::text`, read: isoTime },
  from: (value: Date | null) => value && value.toISOString(),
  // In UTC: RFC 3339 has offsets that PostgreSQL refuses.
  to: (value: unknown) => (typeof value === 'string' ? new Date(value).toISOString() : value),
} satisfies Codec;

const POSTGRES_TIME = /^(\d{4,}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d+))?(?: BC)?$/;

/**
 * The text of a `timestamp` (`2026-11-20 15:08:42.37`) as `to_char` writes it above; infinite ones are null.
 *
 * @throws Error for another `DateStyle` than ISO, which is PostgreSQL's default
 */
export function isoTime(text: string): string | null {
  if (text.length === 23 && text[4] === '-' && text[19] === '.')
    return `${text.slice(0, 10)}T${text.slice(11)}Z`;
  const [, day, time, fraction = ''] = POSTGRES_TIME.exec(text) ?? [];
  if (day !== undefined && time !== undefined)
    return `${day}T${time}.${fraction.padEnd(3, '0').slice(0, 3)}Z`;
  if (text.endsWith('infinity')) return null;
  throw new Error(`The database writes times as ${JSON.stringify(text)}; the service takes DateStyle ISO.`);
}

/** Codecs of columns that no field declares, by the type as PostgreSQL names it. */
const BY_TYPE: Readonly<Record<string, Codec>> = {
  numeric: NUMBER,
  date: DATE,
  'timestamp with time zone': TIMESTAMP,
};

/** The codec of a column; `undefined` where the driver gives the value as it is. */
export function codecOf({
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
  if (isCodec(transformer)) return transformer;
  if (isGenerated && type === 'bigint') return NUMBER;
  return isArray ? arrayCodec(BY_TYPE[type]) : BY_TYPE[type];
}

const isCodec = (transformer: unknown): transformer is Codec =>
  typeof transformer === 'object' && transformer !== null && 'select' in transformer;
