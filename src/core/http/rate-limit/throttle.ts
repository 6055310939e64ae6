import { Type } from '@nestjs/common';
import { Reflector } from '@nestjs/core';

import { RoutePolicy } from '../route-policy.js';

declare module '../route-policy.js' {
  interface RoutePolicy {
    /** The route's own limit and its window in ms, in place of the general ones. */
    throttle?: { readonly limit: number | undefined; readonly ttl: number | undefined };
    /** No limit counts the route, that of addresses neither. */
    isUncounted?: boolean;
  }
}

const reflector = new Reflector();

/**
 * What `@Throttle()` and `@SkipThrottle()` of @nestjs/throttler say of a route, for the hook that counts before its body
 * is read.
 *
 * @throws Error at start for a limit that makes no sense or is not served
 */
export function throttleOf(controller: Type, handler: { readonly name: string }): RoutePolicy {
  // The metadata of @nestjs/throttler: it exports decorators, and no way to read what they said.
  const said = (option: string): unknown =>
    reflector.getAllAndOverride(`THROTTLER:${option}default`, [handler as Type, controller]);
  if (said('SKIP')) return { isUncounted: true };
  const [limit, ttl] = [said('LIMIT'), said('TTL')];
  for (const value of [limit, ttl])
    if (value !== undefined && !(Number.isSafeInteger(value) && Number(value) > 0))
      throw new Error(
        `${controller.name}.${handler.name}: @Throttle() takes numbers of 1 or more, not ${JSON.stringify(value)}`,
      );
  const throttle = { limit, ttl } as NonNullable<RoutePolicy['throttle']>;
  return (limit ?? ttl) === undefined ? {} : { throttle };
}
