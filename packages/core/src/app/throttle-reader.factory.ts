import { NestFastifyApplication } from '@nestjs/platform-fastify';
import {
  getOptionsToken,
  getStorageToken,
  ThrottlerGuard,
  ThrottlerModuleOptions,
  ThrottlerStorage,
} from '@nestjs/throttler';

import { ThrottleReader } from '../http/rate-limit/throttle-reader.js';

/**
 * Creates the reader of `@Throttle()`, with the throttlers of `PlinthModule`.
 * @param guards the guards of all routes
 * @throws Error if the application imports `ThrottlerModule` itself, or provides `ThrottlerGuard` as `APP_GUARD`
 */
export function createThrottleReader(
  nest: NestFastifyApplication,
  guards: readonly { readonly metatype: unknown; readonly instance: unknown }[],
): Promise<ThrottleReader> {
  const get = <T>(token: string | symbol): T[] => nest.get<T, T>(token, { strict: false, each: true });
  const [options, ...others] = get<ThrottlerModuleOptions>(getOptionsToken());
  const [storage] = get<ThrottlerStorage>(getStorageToken());
  if (!options || !storage || others.length > 0)
    throw new Error(
      'ThrottlerModule.forRoot() must not be imported: PlinthModule imports it. ' +
        'Declare throttlers and storage in PlinthModule.forRoot({ throttler })',
    );
  if (guards.some(({ metatype, instance }) => metatype === ThrottlerGuard || isThrottlerGuard(instance)))
    throw new Error(
      'APP_GUARD: ThrottlerGuard would count requests twice. Remove it: the limits apply to all routes without it',
    );
  return ThrottleReader.create(options, storage);
}

const isThrottlerGuard = (guard: unknown): boolean =>
  guard instanceof ThrottlerGuard && guard.constructor === ThrottlerGuard;
