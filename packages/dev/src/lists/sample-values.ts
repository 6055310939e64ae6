import { EntityMetadata } from 'typeorm';

export type Sample = string | number | boolean;

/** The part of a field's JSON Schema that its values depend on. */
export interface SampleSchema {
  readonly type?: string | undefined;
  readonly format?: string | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly enum?: readonly unknown[] | undefined;
  readonly maxLength?: number | undefined;
}

/** How many values a column has, unless its type has fewer. */
const VALUES = 40;
const DAY_MS = 86_400_000;

/** Returns distinct values of a type, the smallest first. Half of the days and times lie in the future. */
export function sampleValues(schema: SampleSchema): readonly Sample[] {
  const { type, format, minimum = 0, maximum = Infinity, enum: words, maxLength = VALUES } = schema;
  if (words) return words as Sample[];
  if (type === 'boolean') return [true, false];
  const numbers = Array.from({ length: VALUES }, (_, i) => i);
  if (type === 'integer' || type === 'number') {
    const first = Math.ceil(minimum);
    return numbers.map((i) => first + i).filter((value) => value === first || value <= maximum);
  }
  const today = Math.floor(Date.now() / DAY_MS);
  const time = (i: number): string => new Date((today + i - VALUES / 2) * DAY_MS).toISOString();
  if (format === 'date-time') return numbers.map(time);
  if (format === 'date') return numbers.map((i) => time(i).slice(0, 10));
  if (format === 'uuid') return numbers.map((i) => `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`);
  if (format?.endsWith('email')) return numbers.map((i) => `ada${i + 10}@example.com`);
  if (format === 'uri') return numbers.map((i) => `https://example.com/${i + 10}`);
  if (maxLength < 2) return [...'abcdefghij'];
  return numbers.map((i) => `word-${i + 10}`.slice(-maxLength));
}

/** Returns the schema of the values that a column can store, or `undefined` for a type that no filter compares. */
export function columnSchema(
  column: EntityMetadata['columns'][number],
  metadata: EntityMetadata,
): SampleSchema | undefined {
  const type = metadata.dataSource.driver.normalizeType(column);
  if (column.isArray) return undefined;
  if (column.enum) return { enum: column.enum };
  if (/^bool/.test(type)) return { type: 'boolean' };
  if (/^(?:bigint|integer|int|smallint)/.test(type)) return { type: 'integer' };
  if (/^(?:numeric|real|double)/.test(type)) {
    const { precision, scale } = column;
    return { type: 'number', ...(precision && { maximum: 10 ** (precision - (scale ?? 0)) - 1 }) };
  }
  if (/^timestamp/.test(type)) return { type: 'string', format: 'date-time' };
  if (type === 'date' || type === 'uuid') return { type: 'string', format: type };
  if (!/^(?:character|varchar|text|citext)/.test(type)) return undefined;
  return { type: 'string', ...(column.length && { maxLength: Number(column.length) }) };
}
