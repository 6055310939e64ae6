import { Index } from 'typeorm';

export interface ExpressionIndexOptions {
  readonly unique?: boolean;
  /** The rows that it holds, as SQL; left out: all. */
  readonly where?: string;
}

export interface DeclaredIndex extends ExpressionIndexOptions {
  readonly name: string;
  /** The indexed expressions, as `create index … on table (…)` has them. */
  readonly on: string;
}

const declared = new WeakMap<object, DeclaredIndex[]>();

/**
 * An index on expressions, of which TypeORM itself can know the name only: `npm run migration:generate` writes it. The
 * indexes of sorts need no decorator, they follow from the list.
 *
 * @param on the indexed expressions, as `create index … on table (…)` has them
 * @example @ExpressionIndex('suppliers_name_key', 'lower(name)', { unique: true })
 */
export function ExpressionIndex(
  name: string,
  on: string,
  options: ExpressionIndexOptions = {},
): ClassDecorator {
  return (entity) => {
    Index(name, { synchronize: false })(entity);
    declared.set(entity, [...(declared.get(entity) ?? []), { name, on, ...options }]);
  };
}

/** The indexes that an entity declares by `@ExpressionIndex()`. */
export const expressionIndexesOf = (entity: object): readonly DeclaredIndex[] => declared.get(entity) ?? [];
