import { FastifyReply } from 'fastify';

import { ApiError } from '../errors/api-error.js';
import { PRECONDITION_FAILED } from '../errors/http.errors.js';
import { cacheControl } from './cache-policy.js';
import { CurrentRepresentation, evaluateRead, PRECONDITION_MESSAGES } from './preconditions.js';

/**
 * Puts validators and `Cache-Control` on a response, and decides a conditional GET or HEAD.
 * Writes have decided their conditions in the statement that wrote; theirs are not looked at again.
 *
 * @returns whether the client's copy is current: the status is 304, and there is no body to send
 * @throws ApiError `PRECONDITION_FAILED` for a read whose `If-Match` or `If-Unmodified-Since` fails
 */
export function isNotModified(reply: FastifyReply, current: CurrentRepresentation): boolean {
  const { headers, method } = reply.request.raw;
  void reply.header('etag', current.etag).header('cache-control', cacheControl(reply.request));
  if (current.lastModified !== null) void reply.header('last-modified', current.lastModified);
  if (method !== 'GET' && method !== 'HEAD') return false;
  const outcome = evaluateRead(headers, current);
  if (outcome === 'proceed') return false;
  if (outcome !== 'not-modified')
    throw new ApiError(PRECONDITION_FAILED, `${PRECONDITION_MESSAGES[outcome]} It is now ${current.etag}.`);
  void reply.code(304);
  return true;
}
