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
 * Reads the limits that `@Throttle()` and `@SkipThrottle()` of @nestjs/throttler declare, once per route at start.
 *
 * Guards run after the body has been read. Hooks therefore count the requests, and this guard never guards a request.
 * It extends `ThrottlerGuard` only to find the limits of a route: `handleRequest()` records each limit instead of
 * counting.
 */
export class ThrottleReader extends ThrottlerGuard {
  private throttles: Throttle[] = [];
  /** Whether the general limit applies to the route. */
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
    // Read a route without decorators, so that `DecoratorReflector` learns the metadata keys of the decorators.
    await reader.readThrottles(Object as Type, () => undefined);
    return reader;
  }

  /**
   * Returns the limits of a route.
   * @throws Error that names the class and the method, for a declaration that cannot be served
   */
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

/** Reads metadata for `ThrottleReader`, and records which keys it read and whether it found a value. */
class DecoratorReflector extends Reflector {
  /** The metadata keys of the decorators, without the name of the throttler at the end. */
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

  /** Whether values of a decorator were read since the last call. */
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
