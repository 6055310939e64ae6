import { fieldsOf, FieldType } from '../fields/field.js';
import { Filter } from './filters.js';

/**
 * Finds rows by the items of an array, or by a member of JSON. The property must have `@TextArray()`, `@ChoiceArray()` or
 * `@Json()`. For an array, the client may repeat the parameter up to 100 times; rows must then contain all values.
 * `migration:generate` writes the GIN index.
 *
 * For a value that decides about most queries, such as a state, declare a column of its own with `equals()`.
 * @param members for `@Json()`, the names that lead to the member: `contains('address', 'city')`. If one of them is an
 *   array, rows must have the value in one of its items
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

/** @param lists the positions of the members that are arrays: the value must be in one of their items */
function containment<P extends string>(
  property: P,
  members: readonly string[],
  lists: readonly number[] = [],
): Pick<Filter<Record<P, unknown>>, 'sql' | 'contained'> {
  const nest = (value: string, name: string, position: number): string => {
    const member = lists.includes(position) ? `jsonb_build_array(${value})` : value;
    return `jsonb_build_object('${name.replaceAll(`'`, `''`)}', ${member})`;
  };
  const contained = (value: string): string => members.reduceRight(nest, value);
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
  const lists: number[] = [];
  for (const [position, name] of members.entries()) {
    kind = kind?.nested && fieldsOf(kind.nested).get(name)?.type;
    if (kind?.schema.type === 'array') lists.push(position);
  }
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
  const ofJson = isArray ? undefined : containment(property, members, lists);
  return { ...filter, ...ofJson, kind: items ?? kind };
}

/**
 * Returns the PostgreSQL type of a value that is compared with a member of JSON. JSON stores times as text, and integers
 * that are larger than those of a column.
 */
export const jsonMemberType = ({ schema, column }: FieldType): string =>
  ({ string: 'text', integer: 'numeric' })[String(schema.type)] ?? String(column?.type);
