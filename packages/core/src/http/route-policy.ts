import { createParamDecorator, ExecutionContext } from '@nestjs/common';
import { FastifyInstance, FastifyRequest } from 'fastify';

/** The query parameters that a route takes by `@Query()`. */
export interface QueryParameters {
  readonly names: ReadonlySet<string>;
  readonly repeatable: ReadonlySet<string>;
  /** Some of them are of a DTO. */
  readonly hasDto: boolean;
}

/** What the decorators of a route say, for hooks. Folders above add fields with types of theirs by declaration merging. */
export interface RoutePolicy {
  /** The route has a body whose DTO is known. */
  hasBodyDto?: boolean;
  /** The path as it was declared, with its parameters: `/api/v1/products/:id`. */
  route?: string;
  apiVersion?: number;
  /** What the policy says beside in each version of the API, where a route that serves several differs. */
  byVersion?: Readonly<Record<number, RoutePolicy>>;
  /** The schemas by which responses are serialized, by status; left out: those of `@RouteSchema()`. */
  response?: Readonly<Record<number, object>>;
  /** The route's own limit and its window in ms, in place of the general ones. */
  throttle?: { readonly limit: number | undefined; readonly ttl: number | undefined };
  /** No limit counts the route, that of addresses neither. */
  skipsRateLimit?: boolean;
  /** How many requests a body stands for, that of the route included. */
  countRequests?: (body: unknown) => number;
  /** Its success sets cookies: documents the header. */
  setsCookies?: boolean;
  /** The cookies that it reads, beside those of the schemes: documents them. */
  readsCookies?: readonly string[];
  /** Interceptors of the application may change the response: the schema applies before them, not when it is sent. */
  hasInterceptors?: boolean;
  /** The media types that the route produces, the preferred one first. Left out: JSON. */
  produces?: readonly string[];
  /** The route writes on the conditions of `If-Match`, `If-None-Match` and `If-Unmodified-Since`. */
  isConditional?: boolean;
  /** The route runs in a transaction, and takes an `Idempotency-Key`. */
  isTransactional?: boolean;
  /** The parameters of NestJS's own `@Query()`; `any`: it judges them itself. Left out: it takes none. */
  queryParameters?: QueryParameters | 'any';
  /** Its query or its path has a DTO, whose rules can be violated. */
  validatesParameters?: boolean;
  /** Its response goes on for as long as the client likes: it does not count as a request at work. */
  isStream?: boolean;
  /** Makes what a response shows of a row; left out: the row itself. */
  // Method syntax, so that parameters are bivariant: a resource maps rows of its own type.
  map?: { map(row: object): object }['map'];
  /** Tells the representation of the route's resource from every other: part of its entity tags. */
  schemaHash?: string;
  /** What is shown of a row has its entity tag, as `etag`. */
  showsEntityTag?: boolean;
  /** Its controller is left out where no mails are sent. */
  needsMail?: boolean;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    policy?: RoutePolicy;
  }
  interface FastifyInstance {
    /** The policies of all routes, by `METHOD path`. */
    policies: ReadonlyMap<string, RoutePolicy>;
  }
  interface FastifyRequest {
    /** The policy of the matched route; `undefined`: no route matched. */
    policy: RoutePolicy | undefined;
  }
}

const POLICY = Symbol('route policy');

/** Adds to the policy of a route, or of all of a controller, which a route's own overrides. A later one wins. */
export function routePolicy(addition: RoutePolicy): ClassDecorator & MethodDecorator {
  return (target: object, _property?: string | symbol, descriptor?: PropertyDescriptor) => {
    const declaring = (descriptor?.value ?? target) as object;
    Reflect.defineMetadata(POLICY, { ...readRoutePolicy(declaring), ...addition }, declaring);
  };
}

export function decorateRoute(...decorators: MethodDecorator[]): ParameterDecorator {
  return (target, method) => {
    if (method === undefined) throw new Error('the decorator belongs on a parameter of a route');
    const descriptor = Object.getOwnPropertyDescriptor(target, method) as PropertyDescriptor;
    for (const decorate of decorators) decorate(target, method, descriptor);
  };
}

/** A decorator for parameters that are read from the request. @param decorators what the route is decorated with */
export const createRequestDecorator = (
  read: (request: FastifyRequest) => unknown,
  ...decorators: MethodDecorator[]
): (() => ParameterDecorator) =>
  createParamDecorator(
    (_: undefined, context: ExecutionContext) => read(context.switchToHttp().getRequest()),
    [decorateRoute(...decorators)],
  );

export function readRoutePolicy(declaring: object): RoutePolicy {
  return (Reflect.getMetadata(POLICY, declaring) as RoutePolicy | undefined) ?? {};
}

export function registerPolicies(server: FastifyInstance): void {
  const policies = new Map<string, RoutePolicy>();
  const paths = new Set<string>();
  server.decorate('policies', policies);
  server.addHook('onRoute', (route) => {
    const apiVersion = Number(/^\/api\/v(\d+)\//.exec(route.url)?.[1]);
    const { byVersion, ...declared } = route.config?.policy ?? {};
    const policy: RoutePolicy = {
      ...declared,
      ...byVersion?.[apiVersion],
      route: route.url,
      ...(apiVersion && { apiVersion }),
    };
    route.config = { ...route.config, policy };
    // A route may choose another status of success.
    const [schema] = policy.hasInterceptors ? [] : Object.values(policy.response ?? {});
    if (schema) route.schema = { ...route.schema, response: { '2xx': schema } };
    for (const method of [route.method].flat()) policies.set(`${method} ${route.url}`, policy);
    paths.add(route.url);
  });
  server.decorateRequest('policy', undefined);
  server.addHook('onRequest', (request, _reply, done) => {
    const { url, config } = request.routeOptions;
    // The path of a route that does not take the method matches `:id` too.
    const path = request.url.split('?', 1)[0] as string;
    const isOfAnother = url !== path && paths.has(path);
    // The route of @fastify/cors, for OPTIONS of any path, only lets preflights reach hooks.
    const isOfAny = request.method === 'OPTIONS' && url === '*';
    if (!request.is404 && !isOfAnother && !isOfAny) request.policy = config.policy;
    done();
  });
}
