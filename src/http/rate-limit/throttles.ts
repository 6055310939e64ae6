import { ExecutionContext, Type } from '@nestjs/common';
import { MetadataScanner, Reflector } from '@nestjs/core';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { ThrottlerGenerateKeyFunction, ThrottlerGetTrackerFunction } from '@nestjs/throttler';
import {
  THROTTLER_BLOCK_DURATION,
  THROTTLER_KEY_GENERATOR,
  THROTTLER_LIMIT,
  THROTTLER_SKIP,
  THROTTLER_TRACKER,
  THROTTLER_TTL,
} from '@nestjs/throttler/dist/throttler.constants.js';
import { FastifyReply, FastifyRequest } from 'fastify';

import { addRoutePolicy, policyOf } from '../route-policy.js';

/** A number, or a function that gives it for a request. */
type Resolvable = number | ((context: ExecutionContext) => number | Promise<number>);

/** A limit of one route, as `@Throttle()` declares it. */
export interface Throttle {
  readonly name: string;
  /** Left out: as the general limit has it. */
  readonly limit: Resolvable | undefined;
  /** The length of a window in milliseconds. Left out: as the general limit has it. */
  readonly ttl: Resolvable | undefined;
  readonly blockDuration: Resolvable | undefined;
  readonly getTracker: ThrottlerGetTrackerFunction | undefined;
  readonly generateKey: ThrottlerGenerateKeyFunction | undefined;
}

/** The limits of a route. */
export interface RouteThrottles {
  readonly limits: readonly Throttle[];
  /** The context that functions of the limits are given. */
  readonly contextOf: (request: FastifyRequest, reply: FastifyReply) => ExecutionContext;
}

declare module '../route-policy.js' {
  interface RoutePolicy {
    /** Limits of the route's own. One named `default` takes the place of the general limit. */
    throttles?: RouteThrottles;
    /** The general limit, and the count of addresses, leave the route out. */
    isUncounted?: boolean;
  }
}

/** The throttler that stands for the general limit. */
export const DEFAULT = 'default';

const reflector = new Reflector();

/**
 * Reads `@Throttle()` and `@SkipThrottle()` of @nestjs/throttler, on methods and classes, into the policies of their
 * routes, for the hook that counts before a body is read.
 *
 * @throws Error at start for a limit that makes no sense, naming class and method
 */
export function readThrottles(controllers: Iterable<Type>): void {
  const scanner = new MetadataScanner();
  const routes: (() => void)[] = [];
  for (const controller of controllers) {
    const prototype = controller.prototype as Record<string, () => unknown>;
    for (const method of scanner.getAllMethodNames(prototype)) {
      const handler = prototype[method] as () => unknown;
      const { throttles, isUncounted } = read(controller, handler, `${controller.name}.${method}`);
      const before = policyOf(handler);
      if (!throttles && !isUncounted && !before.throttles && !before.isUncounted) continue;
      routes.push(() => {
        addRoutePolicy(controller, method, { throttles, isUncounted });
      });
    }
  }
  // Only when all are known: inherited routes copy the policies that they inherit.
  for (const write of routes) write();
}

function read(
  controller: Type,
  handler: () => unknown,
  where: string,
): { throttles: RouteThrottles | undefined; isUncounted: boolean } {
  const said = <T>(key: string, name: string): T | undefined =>
    reflector.getAllAndOverride<T | undefined>(key + name, [handler, controller]);
  const limits: Throttle[] = [];
  for (const name of namesOf(handler, controller)) {
    if (said<boolean>(THROTTLER_SKIP, name)) continue;
    const throttle: Throttle = {
      name,
      limit: said(THROTTLER_LIMIT, name),
      ttl: said(THROTTLER_TTL, name),
      blockDuration: said(THROTTLER_BLOCK_DURATION, name),
      getTracker: said(THROTTLER_TRACKER, name),
      generateKey: said(THROTTLER_KEY_GENERATOR, name),
    };
    assertSound(throttle, where);
    limits.push(throttle);
  }
  const contextOf: RouteThrottles['contextOf'] = (request, reply) => {
    const context = new ExecutionContextHost([request, reply], controller, handler);
    context.setType('http');
    return context;
  };
  const throttles = limits.length > 0 ? { limits, contextOf } : undefined;
  return { throttles, isUncounted: said<boolean>(THROTTLER_SKIP, DEFAULT) ?? false };
}

/** The names of the throttlers that a route or its class has limits for. */
function namesOf(...targets: readonly object[]): Set<string> {
  const names = new Set<string>();
  for (const target of targets) {
    for (const key of Reflect.getMetadataKeys(target) as unknown[]) {
      if (typeof key !== 'string' || Reflect.getMetadata(key, target) === undefined) continue;
      for (const prefix of [THROTTLER_LIMIT, THROTTLER_TTL])
        if (key.startsWith(prefix)) names.add(key.slice(prefix.length));
    }
  }
  return names;
}

function assertSound({ name, limit, ttl, blockDuration }: Throttle, where: string): void {
  const refuse = (problem: string): never => {
    throw new Error(`${where}: @Throttle({ ${name}: … }) ${problem}`);
  };
  if (!/^[a-z][\w.-]*$/i.test(name)) refuse('takes a name of letters, digits, "_", "." and "-"');
  if (name !== DEFAULT && (limit === undefined || ttl === undefined)) refuse('takes a limit and a ttl');
  for (const [option, value] of Object.entries({ limit, ttl, blockDuration })) {
    const isSound = value === undefined || typeof value === 'function' || isCount(value);
    if (!isSound) refuse(`takes a ${option} of 1 or more, or a function that gives it, not ${String(value)}`);
  }
}

/** Whether a value is a number of requests or milliseconds. */
export const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0;
