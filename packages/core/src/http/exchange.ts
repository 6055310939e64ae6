import { randomUUID } from 'node:crypto';
import { IncomingMessage, ServerResponse } from 'node:http';

import { FastifyInstance, FastifyReply } from 'fastify';

declare module 'node:http' {
  interface ServerResponse {
    /** The subject of logs and metrics, with the `performance.now()` of its start; `undefined`: Fastify has not seen it. */
    timing?: {
      readonly reply: FastifyReply;
      readonly startedAt: number;
      /** The status of the error that ended the response after its headers were sent. */
      abortStatus?: number;
    };
  }
}

/** Logged and counted in place of a status where the client went before it was sent one, as nginx does. */
export const CLIENT_GONE = 499;

export const outcomeStatus = (response: ServerResponse): number =>
  response.timing?.abortStatus ?? (response.headersSent ? response.statusCode : CLIENT_GONE);

const MAX_LISTENERS = 50;

export function registerRequestTiming(server: FastifyInstance): void {
  server.addHook('onRequest', (_request, reply, done) => {
    reply.raw.timing = { reply, startedAt: performance.now() };
    // Fastify and NestJS add nine listeners for a stream; `node:events` warns of a leak from eleven on.
    reply.raw.setMaxListeners(MAX_LISTENERS);
    done();
  });
}

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

export function readRequestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
}
