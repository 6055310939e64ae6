import { Columns, Operand, EntityTable } from '../database/entity-table.js';
import { text } from '../fields/fields.js';
import { valueReaderFor, ValueFault, ValueReader } from './filters.js';

// Full-text search in lists. Each table has a generated column, whose GIN index finds words by their beginnings.

/** The sort by how well rows match, which is the default for queries with `q`. */
export const RELEVANCE = 'relevance';
export const SEARCH_COLUMN = 'search';

/** The properties that are searched, with their weights: A is the highest. */
export type SearchWeights = Readonly<Record<string, 'A' | 'B' | 'C' | 'D'>>;

/** Far apart, so that many matches in a long text count less than one match in a name. */
const RANK_WEIGHTS = `'{0.001,0.01,0.1,1}'`;
const MAX_SEARCH_LENGTH = 200;

const searchTextKind = text({ max: MAX_SEARCH_LENGTH, blank: true });
const readSearchText = valueReaderFor<string>(searchTextKind);

/** Reads the words of `q`. */
const readSearchWords: ValueReader<string> = (given) =>
  given === '' ? new ValueFault('TOO_SHORT', 'must have at least 1 character') : readSearchText(given);

export const SEARCH_FILTER = {
  name: 'q',
  kind: searchTextKind,
  read: readSearchWords,
  schema: { type: 'string', minLength: 1, maxLength: MAX_SEARCH_LENGTH },
  // `String(row)` is the name of the table.
  sql: (value: string, row: Columns<never>): string =>
    `${String(row)}."${SEARCH_COLUMN}" @@ ${prefixQuerySql(value)}`,
  description:
    'Words to search for. An item must contain all of them, and the last one may be the beginning of a word. You can also ' +
    'write `"a phrase"`, `or` and `-without`. Case, accents and other marks are ignored. Items that contain the last word ' +
    'itself come before items that only contain longer words.',
} as const;

/** Normalizes words with the function that also makes the column. A hyphen means `not` only before a word or a phrase. */
const normalizedWordsSql = (value: string): string =>
  `regexp_replace(search_text(${value}) collate "und-x-icu", '(?<=\\S)-|-(?![[:alnum:]"])', ' ', 'g')`;

const wordsQuerySql = (value: string): string =>
  `websearch_to_tsquery('simple', ${normalizedWordsSql(value)})`;

/** The `tsquery` of some words. The last word is a prefix, unless it is excluded or belongs to a phrase. */
function prefixQuerySql(value: string): string {
  const words = wordsQuerySql(value);
  const prefixed = `regexp_replace(${words}::text, '(^|[&|>] )(''[^'']*'')$', '\\1\\2:*')::tsquery`;
  return `(case when search_text(${value}) like '%"' then ${words} else ${prefixed} end)`;
}

/** Flags of `ts_rank`: divide the rank by the logarithm of the length, then scale it to below 1. */
const SHORTEST_FIRST = 1 | 32;

/**
 * How well a row matches, from 0 to 2. Above 1 are rows with the last word of the query itself, and below 1 those with only
 * words that begin with it. Excluded words do not count.
 * @param value the placeholder of the words
 */
export function relevanceOperand(table: EntityTable, value: string): Operand {
  const column = `${table.name}."${SEARCH_COLUMN}"`;
  const rank = (query: string): string =>
    `ts_rank(${RANK_WEIGHTS}, ${column}, querytree(${query})::tsquery, ${SHORTEST_FIRST})::float8`;
  const words = wordsQuerySql(value);
  const sql = `(case when ${column} @@ ${words} then 1 + ${rank(words)} else ${rank(prefixQuerySql(value))} end)`;
  return { sql, type: 'double precision', isNullable: false, isHidden: false, selectSql: '' };
}

/** The column of some searched properties. @throws Error for a property that is not a text column, or is hidden */
export function searchColumn(
  weights: SearchWeights,
  table: EntityTable,
): Record<'table' | 'name' | 'create' | 'drop', string> {
  const vectors = Object.entries(weights).map(([property, weight]) => {
    const { name, type, isHidden } = table.column(property);
    if (isHidden || !/^(?:character varying|varchar|text|citext)$/.test(type))
      throw new Error(`${property} must be a text that responses show`);
    const words = `translate(search_text(coalesce(${name}, '')), '-"', '  ')`;
    return `setweight(to_tsvector('simple', ${words}), '${weight}')`;
  });
  const alter = (action: string): string => `alter table ${table.name} ${action} column "${SEARCH_COLUMN}"`;
  const create = `${alter('add')} tsvector generated always as (${vectors.join(' || ')}) stored`;
  return { table: table.name.slice(1, -1), name: SEARCH_COLUMN, create, drop: alter('drop') };
}

/** Returns a row if the table has the column, in the spelling of queries, and its index. `$1` is the name of the table. */
export const isSearchableSql = `
  select from pg_attribute a join pg_index i on i.indrelid = a.attrelid and a.attnum = any(i.indkey)
  join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where a.attrelid = to_regclass(quote_ident($1)) and a.attname = '${SEARCH_COLUMN}' and a.attgenerated = 's'
    and pg_get_expr(d.adbin, d.adrelid) like '%search_text(%'`;
