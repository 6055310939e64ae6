import { Type } from '@nestjs/common';
import { MetadataScanner, Reflector } from '@nestjs/core';

import { addRoutePolicy, policyOf } from '../route-policy.js';

declare module '../route-policy.js' {
  interface RoutePolicy {
    /** The route's own limit and its window in ms, in place of the general ones. */
    throttle?: { readonly limit: number | undefined; readonly ttl: number | undefined } | undefined;
    /** No limit counts the route, that of addresses neither. */
    isUncounted?: boolean;
  }
}

const reflector = new Reflector();

/**
 * Reads `@Throttle()` and `@SkipThrottle()` of @nestjs/throttler, on methods and classes, into the policies of their
 * routes, for the hook that counts before a body is read.
 *
 * @throws Error at start for a limit that makes no sense or is not served, naming class and method
 */
export function readThrottles(controllers: Iterable<Type>): void {
  const scanner = new MetadataScanner();
  const routes: (() => void)[] = [];
  for (const controller of controllers) {
    const prototype = controller.prototype as Record<string, Type>;
    for (const method of scanner.getAllMethodNames(prototype)) {
      const handler = prototype[method] as Type;
      // The metadata of @nestjs/throttler: it exports decorators, and no way to read what they said.
      const said = <T>(option: string): T | undefined =>
        reflector.getAllAndOverride<T | undefined>(`THROTTLER:${option}default`, [handler, controller]);
      const isUncounted = said<boolean>('SKIP') ?? false;
      const [limit, ttl] = [said<number>('LIMIT'), said<number>('TTL')];
      for (const value of [limit, ttl])
        if (value !== undefined && !(Number.isSafeInteger(value) && value > 0))
          throw new Error(
            `${controller.name}.${method}: @Throttle() takes numbers of 1 or more, not ${String(value)}`,
          );
      if (said('TRACKER') ?? said('KEY_GENERATOR') ?? said('BLOCK_DURATION'))
        throw new Error(`${controller.name}.${method}: @Throttle() takes limit and ttl alone`);
      const isThrottled = !isUncounted && (limit ?? ttl) !== undefined;
      const before = policyOf(handler);
      if (!isThrottled && !isUncounted && !before.throttle && !before.isUncounted) continue;
      const throttle = isThrottled ? { limit, ttl } : undefined;
      routes.push(() => {
        addRoutePolicy(controller, method, { throttle, isUncounted });
      });
    }
  }
  // Only when all are known: inherited routes copy the policies that they inherit.
  for (const write of routes) write();
}
