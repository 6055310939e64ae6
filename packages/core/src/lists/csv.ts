import { JsonSchema } from '../fields/rules.js';
import { isObject, JsonObject } from '../fields/dto-schema.js';

// Rows as CSV (RFC 4180). `export.ts` sends them.

/** A column of CSV: the place of its value in a row, and the schema by which JSON shows that value. */
export interface CsvColumn {
  readonly path: readonly string[];
  readonly schema: JsonSchema;
}

/** The columns of a row: the fields that JSON shows. Each field of an object is a column of its own (`author.name`). */
export const csvColumns = ({ properties = {} }: JsonSchema, path: readonly string[] = []): CsvColumn[] =>
  Object.entries(properties).flatMap(([name, schema]) =>
    schema.properties ? csvColumns(schema, [...path, name]) : [{ path: [...path, name], schema }],
  );

export const formatHeader = (columns: readonly CsvColumn[]): string =>
  `${columns.map(({ path }) => path.join('.')).join(',')}\r\n`;

export function formatLine(row: object, columns: readonly CsvColumn[]): string {
  const cells = columns.map(({ path, schema }) => {
    let value: unknown = row;
    for (const name of path) value = (value as JsonObject | null | undefined)?.[name];
    return formatCell(pickBySchema(schema, value));
  });
  return `${cells.join(',')}\r\n`;
}

/** A value as JSON shows it: without properties that its schema does not list. */
function pickBySchema({ items, properties }: JsonSchema, value: unknown): unknown {
  if (Array.isArray(value)) return items ? value.map((item) => pickBySchema(items, item)) : value;
  if (!properties || !isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(properties).map(([name, of]) => [name, pickBySchema(of, value[name])]),
  );
}

/**
 * The places of a text at which a spreadsheet may begin a formula (OWASP, CSV Injection); full-width signs begin one,
 * too. Some places are inside of the text: in locales with a decimal comma, a semicolon or a tab begins a new cell even
 * in quotes.
 */
const FORMULA = /^(?=[\t\r\n])|(?:^|(?<=[;\t\r\n]))(?=[=+\-@＝＋－＠])/g;
/** Includes the semicolon and the tab, which separate cells in locales with a decimal comma. */
const NEEDS_QUOTES = /[",;\t\r\n]/;

/** A value as a cell. An apostrophe keeps a text from being a formula; arrays and objects are JSON. */
export function formatCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString();
  const json = typeof value === 'string' ? value : JSON.stringify(value);
  const text = typeof value === 'string' ? json.replace(FORMULA, `'`) : json;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
