import { Type } from '@nestjs/common';
import { INTERCEPTORS_METADATA } from '@nestjs/common/constants.js';
import { NoFilesInterceptor } from '@nestjs/platform-fastify';
import { ApiConsumes } from '@nestjs/swagger';

import '../http/body/uploads.js';
import { policyOf, RoutePolicy } from '../http/route-policy.js';

/** The class that the upload interceptors of NestJS extend. */
const HOST = Object.getPrototypeOf(NoFilesInterceptor()) as Type;

/** Completes a route that takes a form with files. @returns what follows for its policy; nothing for other routes */
export function completeUpload(
  controller: object & { readonly prototype: object },
  name: string,
  handler: object,
): RoutePolicy {
  const { upload } = policyOf(handler);
  if (!upload && !hasInterceptor(controller) && !hasInterceptor(handler)) return {};
  ApiConsumes('multipart/form-data')(controller.prototype, name, { value: handler });
  return { upload: upload ?? {} };
}

const hasInterceptor = (holder: object): boolean =>
  ((Reflect.getMetadata(INTERCEPTORS_METADATA, holder) ?? []) as unknown[]).some(
    (interceptor) => typeof interceptor === 'function' && interceptor.prototype instanceof HOST,
  );
