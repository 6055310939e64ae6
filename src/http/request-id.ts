import { randomUUID } from 'node:crypto';
import { IncomingMessage } from 'node:http';

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

export const newRequestId = randomUUID;

/** The id that the client gave the request, where it is a sound one, or a new one. */
export function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : newRequestId();
}
