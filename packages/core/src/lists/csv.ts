import { JsonSchema } from '../fields/rules.js';
import { isObject, JsonObject } from '../fields/dto-schema.js';

// Formats rows as CSV (RFC 4180). `export.ts` sends the CSV.

/** A column of CSV: the path of its value in a row, as names with the JSON schemas of their values in responses. */
export interface CsvColumn {
  readonly path: readonly (readonly [name: string, schema: JsonSchema])[];
}

/**
 * Returns the columns for a row: the fields that a JSON response contains. A field of a nested object is a separate
 * column, such as `author.name`.
 */
export const csvColumns = ({ properties = {} }: JsonSchema, path: CsvColumn['path'] = []): CsvColumn[] =>
  Object.entries(properties).flatMap(([name, schema]) => {
    const here = [...path, [name, schema] as const];
    return schema.properties ? csvColumns(schema, here) : [{ path: here }];
  });

export const formatHeader = (columns: readonly CsvColumn[]): string =>
  `${columns.map(({ path }) => path.map(([name]) => name).join('.')).join(',')}\r\n`;

export const formatLine = (row: object, columns: readonly CsvColumn[]): string =>
  csvLine(columns.map((column) => valueAt(column, row)));

/**
 * Formats values as a line of CSV (RFC 4180), for files that an application writes itself, such as an attachment of a
 * mail. Lists need no such code: `Accept: text/csv` exports them. A text that a spreadsheet would take for a formula gets
 * an apostrophe in front. `null` and `undefined` become empty cells, a date its ISO form, arrays and objects JSON.
 * @returns the line with its line break (CR LF)
 * @example csvLine(['=SUM(A1)', 5, null]) // `'=SUM(A1),5,\r\n`
 */
export const csvLine = (values: readonly unknown[]): string => `${values.map(formatCell).join(',')}\r\n`;

/** Returns the value of a column as a JSON response shows it, or `undefined` inside an object that is null. */
function valueAt({ path }: CsvColumn, row: object): unknown {
  let value: unknown = row;
  for (const [name, schema] of path) {
    if (value === null || value === undefined) return undefined;
    value = withDefault(schema, (value as JsonObject)[name]);
  }
  return pickBySchema(path.at(-1)?.[1] ?? {}, value);
}

const withDefault = (schema: JsonSchema, value: unknown): unknown =>
  value === undefined ? schema.default : value;

/** Returns a value as a JSON response shows it: without properties that its schema does not list, and with defaults. */
function pickBySchema({ items, properties }: JsonSchema, value: unknown): unknown {
  if (Array.isArray(value)) return items ? value.map((item) => pickBySchema(items, item)) : value;
  if (!properties || !isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(properties).map(([name, of]) => [name, pickBySchema(of, withDefault(of, value[name]))]),
  );
}

/**
 * Matches the places in a text at which a spreadsheet may begin a formula (OWASP, CSV Injection). A full-width sign
 * begins a formula, too. A place can be in the middle of the text: in locales with a decimal comma, a semicolon or a
 * tab begins a new cell, even inside quotes.
 */
const FORMULA = /^(?=[\t\r\n])|(?:^|(?<=[;\t\r\n]))(?=[=+\-@＝＋－＠])/g;
/** Matches a sign that begins a formula inside JSON, which contains a semicolon only in its texts. */
const FORMULA_IN_JSON = /(?<=;)[=+\-@＝＋－＠]/g;
const escapeInJson = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
/** Matches text that must be in quotes. A semicolon and a tab separate cells in locales with a decimal comma. */
const NEEDS_QUOTES = /[",;\t\r\n]/;

/** Formats a value as a cell, as `csvLine()` describes. */
export function formatCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString();
  const text =
    typeof value === 'string'
      ? value.replace(FORMULA, `'`)
      : JSON.stringify(value).replace(FORMULA_IN_JSON, escapeInJson);
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
