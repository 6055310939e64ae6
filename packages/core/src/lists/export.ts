import { Socket } from 'node:net';
import { Readable } from 'node:stream';

import { FastifyReply, FastifyRequest } from 'fastify';

import { BATCH_TIMEOUT_MS } from '../database/row-cursor.js';
import { CSV_TYPE } from '../http/negotiation/media-types.js';
import { negotiateType } from '../http/negotiation/produces.decorator.js';
import { csvColumns, formatHeader, formatLine } from './csv.js';
import { isAsyncIterable, isPage } from './page.js';
import { toResponse } from './row-response.js';

/** Whether the client requests the whole list as CSV. CSV has no pages. */
export const isExport = (request: FastifyRequest): boolean =>
  request.policy?.list !== undefined && negotiateType(request) === CSV_TYPE;

/** The number of rows that are sent together, the same as on the largest page of a list. */
const ROWS_PER_CHUNK = 100;

/**
 * Sends all rows of a list as CSV (RFC 4180), as fast as the client reads them. If the client disconnects, stops
 * reading rows at once.
 * @param result the result of the handler: a `Page` whose rows are an `AsyncIterable`, or the `AsyncIterable` itself
 * @throws an error that occurs before the first rows are found. A later error closes the connection, so that the client
 *   notices that the file is not complete
 */
export async function sendCsv(result: unknown, reply: FastifyReply): Promise<Readable> {
  const { request, raw } = reply;
  const { policy = {} } = request;
  const rows = findRows(result)[Symbol.asyncIterator]();
  const columns = csvColumns(policy.rowResponse?.schema ?? {});
  let isAtEnd = raw.destroyed;
  async function nextLines(): Promise<string> {
    let lines = '';
    for (let count = 0; count < ROWS_PER_CHUNK && !isAtEnd; count++) {
      const result = await rows.next();
      if (result.done) isAtEnd = true;
      else lines += formatLine(toResponse(result.value, policy), columns);
    }
    return lines;
  }
  async function* allLines(first: string): AsyncGenerator<string> {
    yield formatHeader(columns) + first;
    while (!isAtEnd) yield await nextLines();
  }

  const stopReading = async (): Promise<unknown> => rows.return?.();
  raw.once('close', () => void stopReading().catch(() => undefined));
  // If the client reads slowly, the buffer of the kernel fills up, and nothing is sent until much of the buffer is free
  // again. Allow up to `BATCH_TIMEOUT_MS` for that. The socket of `app.inject()` has no `setTimeout()`.
  (raw.socket as Partial<Socket> | null)?.setTimeout?.(BATCH_TIMEOUT_MS);
  const first = await nextLines().catch((error: unknown) => {
    if (!raw.destroyed) throw error;
    return '';
  });
  void reply.type(`${CSV_TYPE}; charset=utf-8; header=present`);
  void reply.header('content-disposition', `attachment; filename="${policy.list?.name ?? ''}.csv"`);
  if (request.method !== 'HEAD' && !raw.destroyed) return Readable.from(allLines(first));
  await stopReading();
  return Readable.from([]);
}

function findRows(result: unknown): AsyncIterable<object> {
  const rows: unknown = isPage(result) ? result.rows : result;
  if (typeof rows === 'object' && rows !== null && isAsyncIterable<object>(rows)) return rows;
  throw new Error(
    'for CSV, the handler must return the page that its @ListQuery() finds, or an AsyncIterable of rows; ' +
      `if the route has no CSV, declare @Produces('application/json')`,
  );
}
