import { FastifyRequest } from 'fastify';

import { requestCaller } from '../request-caller.js';
import { addressKey } from './address-key.js';

/** Returns the key of a caller whose limits are separate: a user with all of their API keys, or else an address. */
export function callerKey(request: FastifyRequest): string {
  const userId = requestCaller(request)?.userId;
  return userId ? `user ${userId}` : addressKey(request.ip);
}
