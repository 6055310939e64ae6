import { fieldsOf, FieldType } from '../fields/field.js';
import { Filter } from './filters.js';

/**
 * Finds rows by the items of an array, or by a member of JSON. The property must have `@TextArray()`, `@ChoiceArray()` or
 * `@Json()`. For an array, the client may repeat the parameter up to 100 times; rows must then contain all values.
 * `migration:generate` writes the GIN index.
 *
 * For a value that decides about most queries, such as a state, declare a column of its own with `equals()`.
 * @param members for `@Json()`, the names that lead to the member: `contains('address', 'city')`
 * @example tags: contains('tags') // ?tags=urgent&tags=billing
 */
export function contains<P extends string>(property: P, ...members: string[]): Filter<Record<P, unknown>> {
  const isAllOf = members.length === 0;
  const path = `\`${[property, ...members].join('.')}\``;
  return {
    property,
    operator: '@>',
    members,
    isAllOf,
    ...containment(property, members),
    description: isAllOf
      ? `Returns only items whose ${path} contains this value. Repeat the parameter to match all of several values.`
      : `Filters by ${path}.`,
  };
}

/** @param wrap returns the SQL of the innermost member from the placeholder of the value */
function containment<P extends string>(
  property: P,
  members: readonly string[],
  wrap = (value: string): string => value,
): Pick<Filter<Record<P, unknown>>, 'sql' | 'contained'> {
  const nest = (value: string, name: string): string =>
    `jsonb_build_object('${name.replaceAll(`'`, `''`)}', ${value})`;
  const contained = (value: string): string => members.reduceRight(nest, wrap(value));
  return { contained, sql: (value, row) => `${row[property]} @> ${contained(value)}` };
}

/** The longest item of which a GIN index can store the text, in characters of up to 4 bytes. */
const MAX_INDEXED_LENGTH = 650;

/**
 * Returns the filter with the type of its values, which is the type of the items or of the member.
 * @throws Error for a property or a member that the filter cannot read
 */
export function resolveContains(
  filter: Filter<never>,
  declared: FieldType,
): Filter<never> & { readonly kind: FieldType } {
  const { property = '', members = [] } = filter;
  let kind: FieldType | undefined = declared;
  for (const name of members) kind = kind?.nested && fieldsOf(kind.nested).get(name)?.type;
  const isArray = declared.items !== undefined;
  if (!kind || isArray !== (members.length === 0))
    throw new Error(
      `contains() must name an array, or JSON and one of its members (got ${[property, ...members].join('.')})`,
    );
  const { items } = kind;
  const { maxLength = 0 } = items?.schema ?? {};
  if (isArray && maxLength > MAX_INDEXED_LENGTH)
    throw new Error(
      `contains() must compare texts of at most ${MAX_INDEXED_LENGTH} characters, which its index can store (got ${maxLength})`,
    );
  if (isArray || !items) return { ...filter, kind: items ?? kind };
  const inArray = containment(property, members, (value) => `jsonb_build_array(${value})`);
  return { ...filter, ...inArray, kind: items };
}

/** Returns the PostgreSQL type of a value that is compared with a member of JSON, which stores times as text. */
export const jsonMemberType = ({ schema, column }: FieldType): string =>
  schema.type === 'string' ? 'text' : String(column?.type);
