import { ServerResponse } from 'node:http';

import { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { INTERCEPTORS_METADATA, SSE_METADATA } from '@nestjs/common/constants.js';
import { FastifyInstance, FastifyReply } from 'fastify';
import { Observable } from 'rxjs';

import '../http/negotiation/produces.decorator.js';
import { RoutePolicy } from '../http/route-policy.js';
import { Connections } from '../http/server/connections.js';

declare module 'fastify' {
  interface FastifyInstance {
    /** For responses that have no end of their own. */
    streams: {
      readonly closing: AbortSignal;
      /** Takes a response out of the count of requests at work. */
      readonly outlast: (response: ServerResponse) => void;
    };
  }
}

/** Ends a stream of events (`@Sse()`) when the server stops: its client connects again, to another instance. */
class EventStreamInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    const { closing, outlast } = reply.server.streams;
    return new Observable((subscriber) => {
      outlast(reply.raw);
      const end = (): void => {
        subscriber.complete();
      };
      subscriber.add(() => {
        closing.removeEventListener('abort', end);
      });
      closing.addEventListener('abort', end);
      subscriber.add(next.handle().subscribe(subscriber));
      if (closing.aborted) end();
    });
  }
}

const POLICY: RoutePolicy = { produces: ['text/event-stream'] };

/** Completes a route of `@Sse()`. @returns what follows for its policy; nothing for other routes */
export function completeEventStream(handler: object): RoutePolicy {
  if (!Reflect.getMetadata(SSE_METADATA, handler)) return {};
  const written = (Reflect.getMetadata(INTERCEPTORS_METADATA, handler) ?? []) as unknown[];
  const others = written.filter((interceptor) => !(interceptor instanceof EventStreamInterceptor));
  Reflect.defineMetadata(INTERCEPTORS_METADATA, [new EventStreamInterceptor(), ...others], handler);
  return POLICY;
}

export function registerStreams(
  server: FastifyInstance,
  connections: Connections,
  outlast: (response: ServerResponse) => void,
): void {
  const stopped = new AbortController();
  const closing = AbortSignal.any([connections.closing, stopped.signal]);
  server.decorate('streams', { closing, outlast });
  // Where the server is closed without having been drained, as in tests.
  server.addHook('preClose', (done) => {
    stopped.abort();
    done();
  });
}
