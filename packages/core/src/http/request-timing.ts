import { ServerResponse } from 'node:http';

import { FastifyInstance, FastifyReply } from 'fastify';

declare module 'node:http' {
  interface ServerResponse {
    /** The timing that logs and metrics read. `undefined` if Fastify has not received the request. */
    timing?: {
      readonly reply: FastifyReply;
      /** `performance.now()` at the start of the request. */
      readonly startedAt: number;
      /** The status of the error that cut off the response after its headers were sent. */
      abortStatus?: number;
    };
  }
}

/** The status in logs and metrics if the client disconnects before the response starts. nginx uses the same number. */
export const CLIENT_GONE = 499;

/** The status that logs and metrics report for a finished response. */
export const outcomeStatus = (response: ServerResponse): number =>
  response.timing?.abortStatus ?? (response.headersSent ? response.statusCode : CLIENT_GONE);

const MAX_LISTENERS = 50;

/** Records when each request started. Register it as the first hook. */
export function registerRequestTiming(server: FastifyInstance): void {
  server.addHook('onRequest', (_request, reply, done) => {
    reply.raw.timing = { reply, startedAt: performance.now() };
    // Fastify and NestJS add nine listeners for a stream; `node:events` warns of a leak above ten.
    reply.raw.setMaxListeners(MAX_LISTENERS);
    done();
  });
}
