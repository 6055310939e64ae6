import { Columns, Operand, Table } from '../database/table.js';
import { text } from '../fields/fields.js';
import { byRules, ValueFault, ValueReader } from './filters.js';

// Full-text search of lists, by a generated column of each table, in which a GIN index finds words and their beginnings.

/** The sort by how well rows match, of which lists with `q` are by default. */
export const RELEVANCE = 'relevance';
export const SEARCH_COLUMN = 'search';

/** The properties that are searched, with how much they count: A most. */
export type SearchWeights = Readonly<Record<string, 'A' | 'B' | 'C' | 'D'>>;

/** So far apart that a word in many places of a long text counts less than once in a name. */
const WEIGHTS = `'{0.001,0.01,0.1,1}'`;
const MAX_LENGTH = 200;

/** What NFKD leaves of accents. PostgreSQL and JavaScript read these classes alike. */
const MARKS = '[\\u0300-\\u036f]+';
/** What parts words: of PostgreSQL's parser, an e-mail address, a path or a number with a point would be one word. */
const PUNCTUATION = '[\\u0001-\\u002f:-@\\[-`{-\\u00bf\\u2000-\\u206f\\u3000-\\u303f]';

const MARK = new RegExp(MARKS, 'g');
/** Quotes are kept, and a hyphen before a word or a phrase, which stands for `not`. */
const OPERATOR_OR_PUNCTUATION = new RegExp(`("|(?<=^|\\s)-(?=["\\p{L}\\p{N}]))|${PUNCTUATION}`, 'gu');

const rules = text({ max: MAX_LENGTH, blank: true });
const read = byRules<string>(rules);

/** Reads the words that are searched for, written as the column has them. */
const readWords: ValueReader<string> = (given) => {
  if (given === '') return new ValueFault('TOO_SHORT', 'at least 1 character');
  const value = read(given);
  if (value instanceof ValueFault) return value;
  const plain = value.normalize('NFKD').toLowerCase().replaceAll(MARK, '');
  return plain.replaceAll(OPERATOR_OR_PUNCTUATION, (_, kept?: string) => kept ?? ' ').trim();
};

export const SEARCH_FILTER = {
  name: 'q',
  kind: rules,
  read: readWords,
  schema: { type: 'string', minLength: 1, maxLength: MAX_LENGTH },
  // Written as text, the columns are their table.
  sql: (value: string, row: Columns<never>): string =>
    `${String(row)}."${SEARCH_COLUMN}" @@ ${wordsSql(value)}`,
  description:
    'Words to search for, all of which are found, the last by its beginning; `"a phrase"`, `or` and `-without` are understood, accents and case make no difference.',
} as const;

/** The query of some words. The last one is a prefix, unless it is excluded or of a phrase. */
function wordsSql(value: string): string {
  const words = `websearch_to_tsquery('simple', ${value})`;
  const prefixed = `regexp_replace(${words}::text, '(^|[&|] )(''[^'']*'')$', '\\1\\2:*')::tsquery`;
  return `(case when ${value} like '%"' then ${words} else ${prefixed} end)`;
}

/** How well a row matches; words that are excluded do not count. @param value the placeholder of the words */
export const relevanceOf = (table: Table, value: string): Operand => ({
  sql: `ts_rank(${WEIGHTS}, ${table.name}."${SEARCH_COLUMN}", querytree(${wordsSql(value)})::tsquery)`,
  type: 'real',
  isNullable: false,
  isHidden: false,
  selected: '',
});

/** The column of some searched properties. @throws Error for what is no text of the table, or is hidden */
export function searchColumn(
  weights: SearchWeights,
  table: Table,
): Record<'table' | 'name' | 'create' | 'drop', string> {
  const vectors = Object.entries(weights).map(([property, weight]) => {
    const { name, type, isHidden } = table.column(property);
    if (isHidden || !/^(?:character varying|varchar|text|citext)$/.test(type))
      throw new Error(`${property} is no text that responses show`);
    const plain = `lower(normalize(coalesce(${name}, ''), NFKD) collate "und-x-icu")`;
    const words = `regexp_replace(regexp_replace(${plain}, '${MARKS}', '', 'g'), '${PUNCTUATION}+', ' ', 'g')`;
    return `setweight(to_tsvector('simple', ${words}), '${weight}')`;
  });
  const alter = (action: string): string => `alter table ${table.name} ${action} column "${SEARCH_COLUMN}"`;
  const create = `${alter('add')} tsvector generated always as (${vectors.join(' || ')}) stored`;
  return { table: table.name.slice(1, -1), name: SEARCH_COLUMN, create, drop: alter('drop') };
}

/** Whether a table has the column and its index. @param table as the database names it */
export const isSearchableSql = `
  select from pg_attribute a join pg_index i on i.indrelid = a.attrelid and a.attnum = any(i.indkey)
  where a.attrelid = to_regclass(quote_ident($1)) and a.attname = '${SEARCH_COLUMN}' and a.attgenerated = 's'`;
