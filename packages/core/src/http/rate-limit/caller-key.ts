import { FastifyRequest } from 'fastify';

import { requestCaller } from '../request-caller.js';
import { addressKey } from './address-key.js';

/**
 * Returns the key under which the requests of a caller are counted. A user and all their API keys share a key. For
 * anonymous callers, it is the key of the address.
 */
export function callerKey(request: FastifyRequest): string {
  const userId = requestCaller(request)?.userId;
  return userId ? `user ${userId}` : addressKey(request.ip);
}
