import { ServerResponse } from 'node:http';

import { FastifyInstance, FastifyReply } from 'fastify';

import { RequestTracer, ServerSpan } from '../telemetry/request-tracer.js';
import { RequestWaits, waitingFor } from '../telemetry/waits.js';
import './route-policy.js';
import { readsBody } from './safe-methods.js';

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
  /** Its waits, where they are followed. */
  waits: RequestWaits | undefined;
  /** Its span, where it is traced. */
  span: ServerSpan | undefined;
}

/** A request came in. */
export function beginExchange(response: MarkedResponse): Exchange {
  return (response[EXCHANGE] = {
    startedAt: performance.now(),
    requestId: null,
    reply: undefined,
    waits: undefined,
    span: undefined,
  });
}

/** The exchange of a response; where it was not announced by `beginExchange`, it begins now. */
export function exchangeOf(response: MarkedResponse): Exchange {
  return response[EXCHANGE] ?? beginExchange(response);
}

/** Does the work of a request, and follows what it waits for: in a span, where there is a tracer. */
export function follow(response: ServerResponse, tracer: RequestTracer | undefined, work: () => void): void {
  const exchange = exchangeOf(response);
  const { method = '', headers } = response.req;
  exchange.span = tracer?.begin(method, headers);
  exchange.waits = new RequestWaits(exchange.span);
  within(exchange, work);
}

/** Runs what belongs to a request, where the event loop has lost sight of it. */
export function within({ waits, span }: Exchange, work: () => void): void {
  if (!waits) work();
  else if (!span) waitingFor(waits, work);
  else
    span.run(() => {
      waitingFor(waits, work);
    });
}

/** Ends the span of a request: a response was sent, or its client is gone. */
export function endSpan(response: ServerResponse): void {
  const { span, reply, requestId } = exchangeOf(response);
  const route = reply?.request.policy?.route;
  span?.end({ route, status: sentStatus(response), requestId: reply?.request.id ?? requestId });
}

/** Logged and counted in place of a status where the client went before it was sent one, as nginx does. */
export const CLIENT_GONE = 499;

/** The status that a response was sent with, or `CLIENT_GONE`. */
export const sentStatus = (response: ServerResponse): number =>
  response.headersSent ? response.statusCode : CLIENT_GONE;

/**
 * Lets exchanges know the replies of their requests, and follows requests on after their bodies.
 *
 * @param isTimingShown whether responses carry `Server-Timing`
 */
export function registerExchanges(server: FastifyInstance, isTimingShown: boolean): void {
  if (isTimingShown) showTiming(server);
  server.addHook('onRequest', (_request, reply, done) => {
    const exchange = exchangeOf(reply.raw);
    exchange.reply = reply;
    if (exchange.span) void reply.header('traceresponse', exchange.span.traceResponse);
    done();
  });
  server.addHook('onRoute', (route) => {
    if (!readsBody(route)) return;
    route.preValidation = [
      (_request, reply, done) => {
        // The parser of bodies belongs to the connection: what it calls does not know the request any more.
        within(exchangeOf(reply.raw), done);
      },
      ...[route.preValidation ?? []].flat(),
    ];
  });
}

/** Lets browsers' tools show where the time went (W3C Server Timing). */
function showTiming(server: FastifyInstance): void {
  server.addHook('onSend', (_request, reply, _payload, done) => {
    const { startedAt, waits } = exchangeOf(reply.raw);
    const parts = Object.entries({ total: performance.now() - startedAt, ...waits?.ms });
    void reply.header('server-timing', parts.map(([name, ms]) => `${name};dur=${ms.toFixed(2)}`).join(', '));
    done();
  });
}
