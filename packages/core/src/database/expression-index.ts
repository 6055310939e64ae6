import { Index } from 'typeorm';

export interface ExpressionIndexOptions {
  readonly unique?: boolean;
  /** An SQL condition for the rows that the index holds. By default, it holds all rows. */
  readonly where?: string;
}

type DeclaredIndex = ExpressionIndexOptions & { readonly name: string; readonly on: string };

const declaredIndexes = new WeakMap<object, DeclaredIndex[]>();

/**
 * Declares an index on expressions, which TypeORM cannot declare. `npm run migration:generate` writes its migration. For
 * an index on columns, use `@Index()` of TypeORM.
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
