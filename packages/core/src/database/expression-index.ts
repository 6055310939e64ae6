import { Index } from 'typeorm';

export interface ExpressionIndexOptions {
  readonly unique?: boolean;
  /** An SQL condition for the rows that the index contains. By default, it contains all rows. */
  readonly where?: string;
}

type DeclaredIndex = ExpressionIndexOptions & { readonly name: string; readonly on: string };

const declaredIndexes = new WeakMap<object, DeclaredIndex[]>();

/**
 * Declares an index on SQL expressions. TypeORM itself can only declare indexes on columns: use its `@Index()` for
 * those. `npm run migration:generate` writes the migration for the index.
 * @param on the expressions of the index, as SQL
 * @example @ExpressionIndex('suppliers_name_key', 'lower(name)', { unique: true })
 */
export function ExpressionIndex(
  name: string,
  on: string,
  options: ExpressionIndexOptions = {},
): ClassDecorator {
  return (entity) => {
    Index(name, { synchronize: false })(entity);
    declaredIndexes.set(entity, [...(declaredIndexes.get(entity) ?? []), { name, on, ...options }]);
  };
}

export const expressionIndexesOf = (entity: object): readonly DeclaredIndex[] =>
  declaredIndexes.get(entity) ?? [];
