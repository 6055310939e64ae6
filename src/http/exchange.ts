import { ServerResponse } from 'node:http';

import { FastifyInstance, FastifyReply } from 'fastify';

import { RequestWaits, waitingFor } from '../telemetry/waits.js';
import { BODY_METHODS } from './safe-methods.js';

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
  /** What it waited for, where that is followed. */
  waits: RequestWaits | undefined;
}

/** A request came in. */
export function beginExchange(response: MarkedResponse): Exchange {
  return (response[EXCHANGE] = {
    startedAt: performance.now(),
    requestId: null,
    reply: undefined,
    waits: undefined,
  });
}

export function exchangeOf(response: MarkedResponse): Exchange {
  return response[EXCHANGE] ?? beginExchange(response);
}

/** Does the work of a request, and follows what it waits for. */
export function follow(response: ServerResponse, work: () => void): void {
  const waits = new RequestWaits();
  exchangeOf(response).waits = waits;
  waitingFor(waits, work);
}

/** Lets exchanges know the replies of their requests, and follows requests on after their bodies. */
export function registerExchanges(server: FastifyInstance): void {
  server.addHook('onRequest', (_request, reply, done) => {
    exchangeOf(reply.raw).reply = reply;
    done();
  });
  server.addHook('onRoute', (route) => {
    if (![route.method].flat().some((method) => BODY_METHODS.includes(method))) return;
    route.preValidation = [
      (_request, reply, done) => {
        // The parser of bodies belongs to the connection: what it calls does not know the request any more.
        const { waits } = exchangeOf(reply.raw);
        if (waits) waitingFor(waits, done);
        else done();
      },
      ...[route.preValidation ?? []].flat(),
    ];
  });
}
