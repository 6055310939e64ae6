import { ServerResponse } from 'node:http';

import { FastifyInstance, FastifyReply } from 'fastify';

const EXCHANGE = Symbol('exchange');

type MarkedResponse = ServerResponse & { [EXCHANGE]?: Exchange };

/** What logs and metrics say of a request, from its first byte on: Fastify does not see all of them. */
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

export function exchangeOf(response: MarkedResponse): Exchange {
  return response[EXCHANGE] ?? beginExchange(response);
}

/** Lets exchanges know the replies of their requests. */
export function registerExchanges(server: FastifyInstance): void {
  server.addHook('onRequest', (_request, reply, done) => {
    exchangeOf(reply.raw).reply = reply;
    done();
  });
}
