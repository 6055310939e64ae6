import { Columns } from '../database/operands.js';
import * as kinds from '../fields/kinds.js';
import { AnyKind, boundOf, prefixOf, Reading, readingOf, Scalar, someOf } from './kind-reader.js';

// The filters that lists are declared with. What a client sends is always a parameter of the statement: SQL is written
// once, when the service starts, and knows no value.

export type FilterValue = Scalar | readonly Scalar[];

/** SQL of a filter. `value` is the placeholder of what the client sends. */
export type FilterSql<Entity> = (value: string, row: Columns<Entity>) => string;

/** A query parameter that narrows a list, of rows of `Entity`. */
export interface Filter<Entity> {
  /** The property that is compared, where it is one: its field says what the parameter takes, unless `kind` does. */
  readonly property?: string;
  readonly kind?: AnyKind;
  /** How the parameter is read. @throws Error for kinds that the filter cannot compare */
  readonly readingOf: (kind: AnyKind) => Reading<FilterValue>;
  /** The type of the placeholder, by the type of what is compared. */
  readonly typeOf: (type: string) => string;
  readonly sql: FilterSql<Entity>;
  /** For `false`, where the value is no parameter but chooses between two conditions. */
  readonly sqlOfFalse?: FilterSql<Entity>;
  /** Whether it takes the property to be nullable. */
  readonly isAboutNull?: boolean;
  /** Of two filters on one property, whether it is the lower or the upper bound. */
  readonly bound?: 'lower' | 'upper';
  /** `=`: rows that have the value; such filters can be among the totals of a list. */
  readonly operator?: '=';
  readonly description: string;
}

/** A filter on one property, which every entity that has it can be filtered by. */
export type PropertyFilter<P extends string> = Filter<Record<P, unknown>>;

const asItIs = (type: string): string => type;

/**
 * Rows whose property is the value.
 *
 * @param kind what the parameter takes; left out, it follows from the property's field
 * @example category: equals('category') // ?category=lamps
 */
export const equals = <P extends string>(property: P, kind?: AnyKind): PropertyFilter<P> => ({
  property,
  kind,
  readingOf,
  typeOf: asItIs,
  sql: (value, row) => `${row[property]} = ${value}`,
  operator: '=',
  description: `Only where \`${property}\` equals this.`,
});

/**
 * Rows whose property is the value or more: of numbers, days and times. Together with `atMost` of the same property it
 * is a range, and one that ends before it begins is refused.
 *
 * @example minPrice: atLeast('price') // ?minPrice=9.99
 */
export const atLeast = <P extends string>(property: P, kind?: AnyKind): PropertyFilter<P> => ({
  property,
  kind,
  readingOf: boundOf,
  typeOf: asItIs,
  sql: (value, row) => `${row[property]} >= ${value}`,
  bound: 'lower',
  description: `Only where \`${property}\` is at least this.`,
});

/** Rows whose property is the value or less: see `atLeast`. */
export const atMost = <P extends string>(property: P, kind?: AnyKind): PropertyFilter<P> => ({
  property,
  kind,
  readingOf: boundOf,
  typeOf: asItIs,
  sql: (value, row) => `${row[property]} <= ${value}`,
  bound: 'upper',
  description: `Only where \`${property}\` is at most this.`,
});

/**
 * Rows whose property is one of up to 50 values, between commas; a text that has commas is put into double quotes.
 *
 * @example status: anyOf('status') // ?status=paid,shipped
 */
export const anyOf = <P extends string>(property: P, kind?: AnyKind): PropertyFilter<P> => ({
  property,
  kind,
  readingOf: someOf,
  typeOf: (type) => `${type}[]`,
  sql: (values, row) => `${row[property]} = any(${values})`,
  description: `Only where \`${property}\` is one of these.`,
});

/**
 * Rows whose text begins with the value, letter by letter: `a` is not `A`. An index on `(<column> collate "C")` finds
 * them.
 *
 * @example name: startsWith('name') // ?name=Oak
 */
export const startsWith = <P extends string>(property: P, kind?: AnyKind): PropertyFilter<P> => ({
  property,
  kind,
  readingOf: prefixOf,
  typeOf: () => 'text[]',
  // A range, which an index answers under any plan; LIKE would take a plan made for the value.
  sql: (range, row) =>
    `(${row[property]} collate "C" >= (${range})[1] and ${row[property]} collate "C" < (${range})[2])`,
  description: `Only where \`${property}\` begins with this, in the same case.`,
});

/**
 * Rows that lack the property (`true`), or have it (`false`).
 *
 * @example unrated: isNull('rating') // ?unrated=true
 */
export const isNull = <P extends string>(property: P): PropertyFilter<P> => ({
  property,
  kind: kinds.flag,
  readingOf,
  typeOf: asItIs,
  sql: (_, row) => `${row[property]} is null`,
  sqlOfFalse: (_, row) => `${row[property]} is not null`,
  isAboutNull: true,
  description: `\`true\`: only where \`${property}\` is null; \`false\`: only where it is not.`,
});

/**
 * Rows in whose texts the words occur, as people type them into a search box (`websearch_to_tsquery`): `oak -table`,
 * `"desk lamp"`, `shelf or rack`. A GIN index on `textSearchVector()` finds them.
 *
 * @param properties of text; null is taken as empty
 * @param options.language a text search configuration of PostgreSQL; `simple` takes words as they are
 * @example q: matches(['name', 'description'], { language: 'english' }) // ?q=desk+lamp
 */
export function matches<P extends string>(
  properties: readonly P[],
  { language = 'simple' }: { readonly language?: string } = {},
): PropertyFilter<P> {
  const config = configuration(language);
  return {
    kind: kinds.text({ max: 200, blank: true }),
    readingOf,
    typeOf: () => 'text',
    sql: (words, row) => {
      const texts = properties.map((property) => row[property]);
      return `${textSearchVector(texts, language)} @@ websearch_to_tsquery(${config}, ${words})`;
    },
    description: `Only those in whose ${properties.join(', ')} these words occur; \`-\` excludes a word, double quotes make a phrase.`,
  };
}

/** The expression that `matches` searches, and that its index is on. @param columns as SQL names them */
export function textSearchVector(columns: readonly string[], language = 'simple'): string {
  const text = columns.map((column) => `coalesce(${column}, '')`).join(` || ' ' || `);
  return `to_tsvector(${configuration(language)}, ${text})`;
}

function configuration(language: string): string {
  if (!/^[a-z_]+$/.test(language)) throw new Error(`there is no language ${language}`);
  return `'${language}'`;
}

/** The options of a filter of your own. */
export interface OwnFilter {
  /** The parameter takes several values between commas; SQL is given an array of them. */
  readonly several?: boolean;
  /** For the documentation, a sentence. */
  readonly description: string;
}

/**
 * Rows of which SQL of your own is true. It is written once, when the service starts: `value` is the placeholder of
 * what the client sends, with its type, and `row` names the columns of the list's table.
 *
 * @param kind what the parameter takes: a kind of field
 * @example
 * tag: where(
 *   text({ max: 30 }),
 *   (tag, product) => `exists (select from product_tags t where t.product_id = ${product.id} and t.tag = ${tag})`,
 *   { description: 'Only those that have this tag.' },
 * )
 */
export const where = <Entity>(
  kind: AnyKind,
  sql: (value: string, row: Columns<Entity>) => string,
  { several = false, description }: OwnFilter,
): Filter<Entity> => ({
  kind,
  readingOf: several ? someOf : readingOf,
  typeOf: (type) => (several ? `${type}[]` : type),
  sql,
  description,
});
