import { Type } from '@nestjs/common';
import { MetadataScanner, Reflector } from '@nestjs/core';

import { addRoutePolicy, policyOf } from '../route-policy.js';

/** A limit of one route, as `@Throttle()` declares it. What it leaves out is as the general limit has it. */
export interface Throttle {
  readonly name: string;
  readonly limit: number | undefined;
  /** The length of a window in milliseconds. */
  readonly ttl: number | undefined;
}

declare module '../route-policy.js' {
  interface RoutePolicy {
    /** Limits of the route's own. One named `default` takes the place of the general limit. */
    throttles?: readonly Throttle[] | undefined;
    /** The general limit, and the count of addresses, leave the route out. */
    isUncounted?: boolean;
  }
}

/** The throttler that stands for the general limit. */
export const DEFAULT = 'default';

/** The metadata of @nestjs/throttler, each followed by the name of a throttler. */
const LIMIT = 'THROTTLER:LIMIT';
const TTL = 'THROTTLER:TTL';
const SKIP = 'THROTTLER:SKIP';
/** Options that need the request, or another count: the guard of the package serves them, the hook does not. */
const UNSERVED = {
  blockDuration: 'THROTTLER:BLOCK_DURATION',
  getTracker: 'THROTTLER:TRACKER',
  generateKey: 'THROTTLER:KEY_GENERATOR',
};

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
    const prototype = controller.prototype as Record<string, object>;
    for (const method of scanner.getAllMethodNames(prototype)) {
      const handler = prototype[method] as Type;
      const said = <T>(key: string, name: string): T | undefined =>
        reflector.getAllAndOverride<T | undefined>(key + name, [handler, controller]);
      const names = [...namesOf(handler, controller)].filter((name) => !said<boolean>(SKIP, name));
      const throttles = names.map((name) => {
        const throttle = { name, limit: said<number>(LIMIT, name), ttl: said<number>(TTL, name) };
        const unserved = Object.entries(UNSERVED).find(([, key]) => said(key, name) !== undefined)?.[0];
        assertSound(throttle, unserved, `${controller.name}.${method}`);
        return throttle;
      });
      const isUncounted = said<boolean>(SKIP, DEFAULT) ?? false;
      const before = policyOf(handler);
      if (throttles.length === 0 && !isUncounted && !before.throttles && !before.isUncounted) continue;
      routes.push(() => {
        addRoutePolicy(controller, method, {
          throttles: throttles.length > 0 ? throttles : undefined,
          isUncounted,
        });
      });
    }
  }
  // Only when all are known: inherited routes copy the policies that they inherit.
  for (const write of routes) write();
}

/** The names of the throttlers that a route or its class has limits for. */
function namesOf(...targets: readonly object[]): Set<string> {
  const names = new Set<string>();
  for (const target of targets) {
    for (const key of Reflect.getMetadataKeys(target) as unknown[]) {
      if (typeof key !== 'string' || Reflect.getMetadata(key, target) === undefined) continue;
      for (const prefix of [LIMIT, TTL]) if (key.startsWith(prefix)) names.add(key.slice(prefix.length));
    }
  }
  return names;
}

function assertSound({ name, limit, ttl }: Throttle, unserved: string | undefined, where: string): void {
  const refuse = (problem: string): never => {
    throw new Error(`${where}: @Throttle({ ${name}: … }) ${problem}`);
  };
  if (!/^[a-z][\w.-]*$/i.test(name)) refuse('takes a name of letters, digits, "_", "." and "-"');
  if (name !== DEFAULT && (limit === undefined || ttl === undefined)) refuse('takes a limit and a ttl');
  for (const [option, value] of Object.entries({ limit, ttl })) {
    const isSound = value === undefined || (Number.isSafeInteger(value) && value > 0);
    if (!isSound) refuse(`takes a ${option} of 1 or more, not ${String(value)}`);
  }
  if (unserved !== undefined) refuse(`takes no ${unserved}: requests are counted before guards run`);
}
