import { randomUUID } from 'node:crypto';
import { IncomingMessage } from 'node:http';

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/**
 * Returns the id of a request for the log and `X-Request-Id`: the id that the client sent if it is valid, otherwise a
 * new UUID.
 */
export function readRequestId(request: IncomingMessage): string {
  const sent = request.headers['x-request-id'];
  return typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : randomUUID();
}
