import { randomUUID } from 'node:crypto';
import { IncomingMessage } from 'node:http';

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** The id of a request in the log and in `X-Request-Id`: the one that the client sent if it is valid, otherwise a new one. */
export function readRequestId(request: IncomingMessage): string {
  const sent = request.headers['x-request-id'];
  return typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : randomUUID();
}
