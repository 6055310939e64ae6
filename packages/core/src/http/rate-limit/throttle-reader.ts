import { ExecutionContext, Type } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import {
  ThrottlerGuard,
  ThrottlerModuleOptions,
  ThrottlerRequest,
  ThrottlerStorage,
} from '@nestjs/throttler';

import { guardsOf } from '../../nest/route-metadata.js';
import { RoutePolicy } from '../../routes/route-policy.js';
import { Throttle } from './throttle.js';

const DEFAULT = 'default';

/**
 * Finds out what `@Throttle()` and `@SkipThrottle()` of @nestjs/throttler declare, once per route at start. Requests are
 * counted by hooks, before their bodies are read, and a guard runs too late for that. So this guard is never a guard of a
 * request: it is called once for each route, and `handleRequest()` records the limits that the package found instead of counting.
 */
export class ThrottleReader extends ThrottlerGuard {
  private throttles: Throttle[] = [];
  /** Whether the route does not skip the general limit. */
  private isCounted = false;

  private constructor(
    options: ThrottlerModuleOptions,
    storage: ThrottlerStorage,
    private readonly decorators: DecoratorReflector,
  ) {
    super(options, storage, decorators);
  }

  /** @param options the options of `ThrottlerModule` */
  static async create(options: ThrottlerModuleOptions, storage: ThrottlerStorage): Promise<ThrottleReader> {
    const reader = new ThrottleReader(options, storage, new DecoratorReflector());
    await reader.onModuleInit();
    // Reading an undecorated route tells which keys the decorators write.
    await reader.readThrottles(Object as Type, () => undefined);
    return reader;
  }

  /** The limits of a route. @throws Error for a declaration that cannot be served, naming class and method */
  async read(controller: Type, handler: () => unknown): Promise<RoutePolicy> {
    try {
      const throttles = await this.readThrottles(controller, handler);
      this.assertServed([controller, handler]);
      return { throttles, ...(!this.isCounted && { skipsRateLimit: true }) };
    } catch (error) {
      throw new Error(`${controller.name}.${handler.name}: ${(error as Error).message}`, { cause: error });
    }
  }

  private async readThrottles(controller: Type, handler: () => unknown): Promise<Throttle[]> {
    this.throttles = [];
    this.isCounted = false;
    const context: Partial<ExecutionContext> = {
      getClass: <T>() => controller as Type<T>,
      getHandler: () => handler,
    };
    await this.canActivate(context as ExecutionContext);
    return this.throttles;
  }

  /** Called by `canActivate()` for each throttler that the route does not skip. */
  protected override handleRequest(request: ThrottlerRequest): Promise<boolean> {
    const { limit, ttl, blockDuration, throttler } = request;
    const name = throttler.name ?? DEFAULT;
    const isDeclared = this.decorators.takeDeclared();
    this.isCounted ||= name === DEFAULT;
    // `RATE_LIMIT=0` turns the general limit off.
    if (limit === 0 && limit === throttler.limit) return Promise.resolve(true);
    for (const [option, value, minimum] of [
      ['limit', limit, 1],
      ['ttl', ttl, 1],
      ['blockDuration', blockDuration, 0],
    ] as const)
      if (!Number.isSafeInteger(value) || value < minimum)
        throw new Error(
          `@Throttle() ${name}.${option} must be a whole number of at least ${minimum} (got ${value})`,
        );
    const scope = name === DEFAULT && !isDeclared ? 'caller' : 'route';
    this.throttles.push({ name, limit, ttlMs: ttl, blockMs: blockDuration, scope });
    return Promise.resolve(true);
  }

  private assertServed(declaring: readonly object[]): void {
    const known = this.throttlers.map(({ name = DEFAULT }) => name);
    for (const name of declaring.flatMap((target) => this.decorators.throttlersNamedOn(target)))
      if (!known.includes(name))
        throw new Error(
          `no throttler is called '${name}' (there are ${known.join(', ')}); declare it in PlinthModule.forRoot({ throttler })`,
        );
    if (declaring.flatMap(guardsOf).includes(ThrottlerGuard))
      throw new Error('ThrottlerGuard would count requests twice: @Throttle() works without it');
  }
}

/** Reads metadata for the guard, and records what it reads. */
class DecoratorReflector extends Reflector {
  /** The metadata keys of the decorators, without the name of a throttler at their end. */
  private readonly prefixes = new Set<string>();
  private hasNumbers = false;

  override getAllAndOverride(key: unknown, targets: Parameters<Reflector['getAllAndOverride']>[1]): never {
    const value: unknown = super.getAllAndOverride(key, targets);
    if (typeof value === 'function')
      throw new Error(
        '@Throttle() must be given numbers (got a function): for limits that depend on the request, ' +
          'extend ThrottlerGuard and use your own decorator',
      );
    if (typeof value === 'number' || typeof value === 'string') this.hasNumbers = true;
    if (typeof key === 'string' && key.endsWith(DEFAULT)) this.prefixes.add(key.slice(0, -DEFAULT.length));
    return value as never;
  }

  /** Whether a decorator declared numbers since the last call. */
  takeDeclared(): boolean {
    const { hasNumbers } = this;
    this.hasNumbers = false;
    return hasNumbers;
  }

  /** The names of throttlers that decorators of a class or method mention. */
  throttlersNamedOn(target: object): string[] {
    const keys = (Reflect.getMetadataKeys(target) as unknown[]).map(String);
    return keys.flatMap((key) => {
      const prefix = [...this.prefixes].find((candidate) => key.startsWith(candidate));
      return prefix === undefined ? [] : [key.slice(prefix.length)];
    });
  }
}
