import { Socket } from 'node:net';
import { Readable } from 'node:stream';

import { FastifyReply } from 'fastify';

import { Database } from '../database/database.js';
import { BATCH_TIMEOUT_MS, RowCursor } from '../database/row-cursor.js';
import { JsonSchema } from '../fields/rules.js';
import { isObject, JsonObject } from '../fields/dto-schema.js';
import { CSV_TYPE } from '../http/negotiation/media-types.js';
import { toResponse } from './row-response.js';

/**
 * Everything that a list shows, as CSV (RFC 4180), while the client reads. The route's handler is called for each
 * batch of rows, as it is for a page. What fails before the first row becomes an error; later, the connection ends.
 */
export async function streamCsv(
  reply: FastifyReply,
  database: Database,
  handle: () => Promise<unknown>,
): Promise<Readable> {
  const { request } = reply;
  const { policy = {} } = request;
  let cursor: RowCursor | undefined;
  request.nextRows = async (statement) => {
    cursor ??= await database.cursor(statement);
    if (reply.raw.destroyed) cursor.abort();
    return cursor.next();
  };
  reply.raw.once('close', () => cursor?.abort());
  // Where a client reads slowly, the kernel takes the next bytes only when much of its buffer is free.
  // `app.inject()` has a socket without time-outs.
  (reply.raw.socket as Partial<Socket> | null)?.setTimeout?.(BATCH_TIMEOUT_MS);
  const columns = csvColumns(policy.rowResponse?.schema ?? {});
  async function next(): Promise<string> {
    const { rows } = (await handle()) as { rows: object[] };
    if (!cursor)
      throw new Error('the handler reads another list than its @ListQuery(): say what it @Produces()');
    let lines = '';
    for (const row of rows) lines += formatLine(toResponse(row, policy), columns);
    // V8 finds late that results of settled promises are garbage: they hold no rows then.
    rows.length = 0;
    return lines;
  }
  const isAtEnd = (): boolean => cursor?.isAtEnd !== false;
  async function* lines(first: string): AsyncGenerator<string> {
    yield `${columns.map(({ path }) => path.join('.')).join(',')}\r\n${first}`;
    while (!isAtEnd()) yield await next();
  }

  const first = await next().catch((error: unknown) => {
    if (!reply.raw.destroyed) throw error;
    return '';
  });
  void reply.type(`${CSV_TYPE}; charset=utf-8; header=present`);
  void reply.header('content-disposition', `attachment; filename="${policy.list?.name ?? ''}.csv"`);
  if (request.method !== 'HEAD' && !reply.raw.destroyed) return Readable.from(lines(first));
  await cursor?.close();
  return Readable.from([]);
}

interface CsvColumn {
  readonly path: readonly string[];
  readonly schema: JsonSchema;
}

/** The columns of a list: the fields that JSON shows, those of an object each by itself. */
const csvColumns = ({ properties = {} }: JsonSchema, path: readonly string[] = []): CsvColumn[] =>
  Object.entries(properties).flatMap(([name, schema]) =>
    schema.properties ? csvColumns(schema, [...path, name]) : [{ path: [...path, name], schema }],
  );

export function formatLine(row: object, columns: readonly CsvColumn[]): string {
  const cells = columns.map(({ path, schema }) => {
    let value: unknown = row;
    for (const name of path) value = (value as JsonObject | null | undefined)?.[name];
    return formatCell(pickBySchema(schema, value));
  });
  return `${cells.join(',')}\r\n`;
}

/** A value as JSON shows it: without what its schema does not list. */
function pickBySchema({ items, properties }: JsonSchema, value: unknown): unknown {
  if (Array.isArray(value)) return items ? value.map((item) => pickBySchema(items, item)) : value;
  if (!properties || !isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(properties).map(([name, of]) => [name, pickBySchema(of, value[name])]),
  );
}

/**
 * Places where a spreadsheet takes what follows for a formula (OWASP, CSV Injection), in full width too. They are inside
 * of a text as well: where the decimal point is a comma, a semicolon or a tab begins a new cell, quoted or not.
 */
const FORMULA = /^(?=[\t\r\n])|(?:^|(?<=[;\t\r\n]))(?=[=+\-@＝＋－＠])/g;
/** A semicolon and a tab as well: they part cells where a comma is the decimal point. */
const NEEDS_QUOTES = /[",;\t\r\n]/;

/** A value as a cell: an apostrophe keeps a text from being a formula, and what has a structure is JSON. */
export function formatCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString();
  const json = typeof value === 'string' ? value : JSON.stringify(value);
  const text = typeof value === 'string' ? json.replace(FORMULA, `'`) : json;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
