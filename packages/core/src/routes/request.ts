import { createParamDecorator, ExecutionContext, StreamableFile } from '@nestjs/common';
import { FastifyRequest } from 'fastify';

import type { RequestContext } from '../access/request-context.js';
import type { RoutePolicy } from './route-policy.js';

/** All properties that the base adds to requests. Each comment says which code sets the property, and when. */
declare module 'fastify' {
  interface FastifyRequest {
    /**
     * The policy of the route, or `undefined` if no route matches. Set by `registerPolicies()` when the request
     * arrives.
     */
    policy: RoutePolicy | undefined;
    /**
     * The caller, and what the caller may do. Set by `registerRequestContext()` when the request arrives, completed by
     * authentication, by the access hook, and by the interceptor that opens a transaction.
     */
    context: RequestContext;
    /**
     * The principal of `context`, for guards of NestJS and Passport. Set by authentication. A Passport guard may
     * replace it.
     */
    user?: unknown;
    /** The ids of the request's span. Set by `operations/tracing.ts` if the request is traced. */
    trace?: { readonly traceId: string; readonly spanId: string };
    /** The bytes of a JSON body. Set by the body parser, `http/body/json-body.ts`. */
    rawBody?: Buffer;
    /** The response of the route before the application's interceptors change it. Set by `app/wrapped-routes.ts`. */
    ownResponse?: { readonly status: number; readonly headers: object; readonly json: string | null };
    /** The stream that the route returns, before the application's interceptors. Set by `app/wrapped-routes.ts`. */
    routeFile?: StreamableFile;
  }
  interface FastifyContextConfig {
    /** Set by `completeRoutes()` at start, and completed by `registerPolicies()`. */
    policy?: RoutePolicy;
  }
  interface FastifyInstance {
    /** The policies of all routes, by `METHOD path`. Set by `registerPolicies()`. */
    policies: ReadonlyMap<string, RoutePolicy>;
  }
}

/**
 * Makes a parameter decorator that applies method decorators to the route of the parameter.
 * @throws Error if it decorates a parameter of a constructor
 */
export function decorateRoute(...decorators: MethodDecorator[]): ParameterDecorator {
  return (target, method) => {
    if (method === undefined) throw new Error('this decorator is only for parameters of routes');
    const descriptor = Object.getOwnPropertyDescriptor(target, method) as PropertyDescriptor;
    for (const decorate of decorators) decorate(target, method, descriptor);
  };
}

/**
 * Makes a decorator for parameters whose value comes from the request.
 * @param read returns the value of the parameter. It runs for every request
 * @param decorators method decorators to apply to the route of the parameter
 */
export const createRequestDecorator = (
  read: (request: FastifyRequest) => unknown,
  ...decorators: MethodDecorator[]
): (() => ParameterDecorator) =>
  createParamDecorator(
    (_: undefined, context: ExecutionContext) => read(context.switchToHttp().getRequest()),
    [decorateRoute(...decorators)],
  );
