import { Index } from 'typeorm';

export interface ExpressionIndexOptions {
  readonly unique?: boolean;
  /** The rows that it holds, as SQL; left out: all. */
  readonly where?: string;
}

type DeclaredIndex = ExpressionIndexOptions & { readonly name: string; readonly on: string };

const declaredIndexes = new WeakMap<object, DeclaredIndex[]>();

/**
 * An index on expressions, which `npm run migration:generate` writes: `on table (…)`.
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
