import { ColumnOptions, EntityMetadata } from 'typeorm';

import { Codec, codecOf } from '../fields/codec.js';
import { Declaration, Fields, fieldsOf } from '../fields/field.js';

/** The values of a row as SQL names them, by property; as a text, the table. */
export type Columns<Entity = Record<string, unknown>> = { readonly [P in keyof Entity]-?: string };

/** A value that statements compare and sort by: a column, or what is computed of a row. */
export interface Operand {
  /** With its table: a bare name in ORDER BY is the selected value of that name, which no index is on. */
  readonly sql: string;
  /** As a cast names it. */
  readonly type: string;
  readonly isNullable: boolean;
  /** Whether it is never read: `select: false`. */
  readonly isHidden: boolean;
}

/** A computed value with what selects it. */
export interface ComputedOperand extends Operand, Selected {}

/** A value of a row as it is read. */
export interface Selected {
  readonly property: string;
  /** The value as its property holds it: an SQL expression under the property's name. */
  readonly selected: string;
}

/** @param sql of the value as it is stored or computed */
export const selectedOf = (property: string, sql: string, codec: Codec | undefined): Selected => ({
  property,
  selected: `${codec?.select(sql) ?? sql} as "${property}"`,
});

/**
 * The columns of a table for whoever writes SQL about it.
 *
 * @throws Error for a property that the entity does not have
 */
export function columnsOf(table: string, operandOf: (property: string) => Operand): Columns {
  return new Proxy<Columns>(
    {},
    {
      get: (_, property) => (typeof property === 'string' ? operandOf(property).sql : (): string => table),
    },
  );
}

/** The computed fields of an entity. Their SQL is generated on demand: it may refer to other computed fields. */
export function computedOf(
  metadata: EntityMetadata,
  columns: Columns,
): ReadonlyMap<string, () => ComputedOperand> {
  const { target, tableName } = metadata;
  const fields = typeof target === 'function' ? [...fieldsOf(target as Fields)] : [];
  const computed = fields.filter(([, { options }]) => options.computed);
  return new Map(
    computed.map(([property, field]) => [
      property,
      (): ComputedOperand => {
        try {
          return computedOperand(property, field, metadata, columns);
        } catch (error) {
          const { message } = error as Error;
          throw new Error(`"${tableName}", computed ${property}: ${message}`, { cause: error });
        }
      },
    ]),
  );
}

function computedOperand(
  property: string,
  { kind: { column }, options }: Declaration,
  { dataSource }: EntityMetadata,
  columns: Columns,
): ComputedOperand {
  const sql = `(${options.computed?.(columns) ?? ''})`;
  const isNullable = options.nullable === true;
  // Lists of objects are JSON: they can be shown, and are nothing to compare with.
  if (!column)
    return {
      sql,
      type: 'json',
      isNullable,
      isHidden: false,
      ...selectedOf(property, sql, undefined),
    };
  const { array: isArray = false, transformer } = column;
  const base = dataSource.driver.normalizeType(column);
  const type = isArray ? `${base}[]` : base;
  const cast = `${sql}::${castOf(base, column)}${isArray ? '[]' : ''}`;
  const codec = codecOf({ type: base, isArray, transformer });
  return {
    sql: `(${cast})`,
    type,
    isNullable,
    isHidden: false,
    ...selectedOf(property, codec ? `(${cast})` : cast, codec),
  };
}

/** The type that a value is computed as: rounded to what its field can show. */
function castOf(type: string, { precision, scale }: ColumnOptions): string {
  if (type === 'numeric' && precision) return `numeric(${precision},${scale ?? 0})`;
  return type === 'timestamp with time zone' ? 'timestamp(3) with time zone' : type;
}
