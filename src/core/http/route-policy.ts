import { Type } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants.js';
import { RouteConfig } from '@nestjs/platform-fastify';
import { FastifyInstance } from 'fastify';

/**
 * The policy of a route, known before any request: all that its decorators say, in one object that hooks read once per
 * request. Modules that add a decorator add its field here by declaration merging.
 */
export interface RoutePolicy {
  /** The route reads a body. */
  takesBody?: boolean;
  /** The path as it was declared, with its parameters: `/api/v1/products/:id`. */
  route?: string;
  /** The version of the API that the path names. */
  apiVersion?: number;
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

/**
 * A decorator that adds to the policy of a route, or of all routes that a controller writes: what a route says itself
 * goes before what its controller says. Several add up; a later one wins over an earlier one.
 *
 * @throws Error on a controller that inherits routes: their policy is that of the class which wrote them
 */
export function routePolicy(addition: RoutePolicy): ClassDecorator & MethodDecorator {
  return (target: object, property?: string | symbol, descriptor?: PropertyDescriptor) => {
    if (property !== undefined && descriptor) {
      const policy = { ...policyOf(descriptor.value as object), ...addition };
      Reflect.defineMetadata(POLICY, policy, descriptor.value as object);
      RouteConfig({ policy })(target, property, descriptor);
      return;
    }
    const controller = target as Type;
    Reflect.defineMetadata(POLICY, { ...policyOf(controller), ...addition }, controller);
    for (const [name, handler] of routesIn(controller))
      routePolicy({ ...addition, ...policyOf(handler) })(controller.prototype as object, name, {
        value: handler,
      });
  };
}

/** The routes that a controller writes. */
function routesIn({ name, prototype }: Type): [string, object][] {
  const routes = Object.entries(Object.getOwnPropertyDescriptors(prototype as object)).flatMap(
    ([method, { value }]): [string, object][] => (isRoute(value) ? [[method, value]] : []),
  );
  const own = new Set(Object.getOwnPropertyNames(prototype));
  for (let base = parentOf(prototype as object); base; base = parentOf(base)) {
    const inherited = Object.entries(Object.getOwnPropertyDescriptors(base)).find(
      ([method, { value }]) => !own.has(method) && isRoute(value),
    );
    if (inherited)
      throw new Error(
        `${name} inherits the route ${inherited[0]}(), of which it can say nothing: override it`,
      );
  }
  return routes;
}

const isRoute = (value: unknown): value is object =>
  typeof value === 'function' && Reflect.hasMetadata(PATH_METADATA, value);

const parentOf = (prototype: object): object | null => Object.getPrototypeOf(prototype) as object | null;

/**
 * Adds to the policy of one route of a controller, at start: what its class and Nest's own decorators say. An inherited
 * route gets a method of its own first, so that its policy stays apart from that of the class it is inherited from.
 */
export function addRoutePolicy(controller: Type, name: string, addition: RoutePolicy): void {
  const prototype = controller.prototype as Record<string, Method>;
  if (!Object.hasOwn(prototype, name)) Object.defineProperty(prototype, name, inherited(prototype, name));
  routePolicy(addition)(prototype, name, { value: prototype[name] });
}

type Method = (this: unknown, ...args: unknown[]) => unknown;

function inherited(prototype: Record<string, Method>, name: string): PropertyDescriptor {
  const handler = prototype[name] as Method;
  const own: Method = function (...args) {
    return handler.apply(this, args);
  };
  Object.defineProperty(own, 'name', { value: name });
  for (const key of Reflect.getMetadataKeys(handler) as unknown[])
    Reflect.defineMetadata(key, Reflect.getMetadata(key, handler), own);
  return { value: own, writable: true, configurable: true, enumerable: false };
}

/** The policy that the decorators of a route's method, or of a class, have put together so far. */
export function policyOf(declaring: object): RoutePolicy {
  return (Reflect.getMetadata(POLICY, declaring) as RoutePolicy | undefined) ?? {};
}

/** Completes the policy of each route as it is registered, and gives each request the one of its route. */
export function registerPolicies(server: FastifyInstance): void {
  const policies = new Map<string, RoutePolicy>();
  server.decorate('policies', policies);
  server.addHook('onRoute', (route) => {
    const apiVersion = /^\/api\/v(\d+)\//.exec(route.url)?.[1];
    const policy: RoutePolicy = {
      ...route.config?.policy,
      route: route.url,
      ...(apiVersion && { apiVersion: Number(apiVersion) }),
    };
    route.config = { ...route.config, policy };
    for (const method of [route.method].flat()) policies.set(`${method} ${route.url}`, policy);
  });
  server.decorateRequest('policy', undefined);
  server.addHook('onRequest', (request, _reply, done) => {
    if (!request.is404) request.policy = request.routeOptions.config.policy;
    done();
  });
}
