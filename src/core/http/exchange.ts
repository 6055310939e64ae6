import { randomUUID } from 'node:crypto';
import { IncomingMessage, ServerResponse } from 'node:http';

import { FastifyInstance, FastifyReply } from 'fastify';

import './route-policy.js';

const EXCHANGE = Symbol('exchange');

type MarkedResponse = ServerResponse & { [EXCHANGE]?: Exchange };

/** A request as logs and metrics describe it, from its first byte on: Fastify does not see all of them. */
export interface Exchange {
  /** When it came in, by `performance.now()`. */
  readonly startedAt: number;
  /** Its id, where Fastify does not know it. */
  requestId: string | null;
  /** Fastify's, once it has the request. */
  reply: FastifyReply | undefined;
}

/** A request came in. */
export function beginExchange(response: MarkedResponse): Exchange {
  return (response[EXCHANGE] = { startedAt: performance.now(), requestId: null, reply: undefined });
}

/** The exchange of a response; where it was not announced by `beginExchange`, it begins now. */
export function exchangeOf(response: MarkedResponse): Exchange {
  return response[EXCHANGE] ?? beginExchange(response);
}

/** Logged and counted in place of a status where the client went before it was sent one, as nginx does. */
export const CLIENT_GONE = 499;

/** The status that a response was sent with, or `CLIENT_GONE`. */
export const sentStatus = (response: ServerResponse): number =>
  response.headersSent ? response.statusCode : CLIENT_GONE;

/** Lets exchanges know the replies of their requests. */
export function registerExchanges(server: FastifyInstance): void {
  server.addHook('onRequest', (_request, reply, done) => {
    exchangeOf(reply.raw).reply = reply;
    done();
  });
}

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

export const newRequestId = randomUUID;

/** The id that the client gave the request, where it is a sound one, or a new one. */
export function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : newRequestId();
}
