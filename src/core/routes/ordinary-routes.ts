import { Injectable, Type, Module } from '@nestjs/common';
import { INTERCEPTORS_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryModule, DiscoveryService, MetadataScanner } from '@nestjs/core';
import { NoFilesInterceptor } from '@nestjs/platform-fastify';
import { ApiConsumes } from '@nestjs/swagger';

import '../http/body/uploads.js';
import { addRoutePolicy, policyOf, RoutePolicy } from '../http/route-policy.js';
import { completeEventStream } from './event-stream.js';
import { completeParameters } from './complete-parameters.js';

interface Controller {
  readonly name: string;
  readonly prototype: Record<string, object>;
}

/** A route of a controller, its own or an inherited one. */
interface Route {
  readonly controller: Controller;
  readonly name: string;
  readonly handler: object;
}

/**
 * Completes the routes of ordinary controllers: their parameters are read by what their types and decorators declare,
 * and what their controller says of access and caching holds for each of them. It runs once for each application, after
 * its modules are loaded and before its routes are registered.
 */
@Injectable()
export class OrdinaryRoutes {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  /** @throws Error at start for what would be ignored in silence, naming class and method */
  complete(): void {
    // Only when all are known: what is written for a class is inherited by others.
    for (const route of this.routes()) this.completeRoute(route);
  }

  private routes(): Route[] {
    return this.discovery.getControllers().flatMap(({ metatype }) => {
      const controller = metatype as Controller | null;
      if (!controller) return [];
      return this.scanner.getAllMethodNames(controller.prototype).flatMap((name) => {
        const handler = controller.prototype[name] as object;
        if (!Reflect.hasMetadata(PATH_METADATA, handler)) return [];
        return { controller, name, handler };
      });
    });
  }

  private completeRoute(route: Route): void {
    const { controller, name, handler } = route;
    const ofUpload = completeUpload(controller, name, handler);
    const taken = completeParameters(controller, name);
    const ofStream = completeEventStream(handler);
    addRoutePolicy(controller as unknown as Type, name, { ...ofStream, ...ofUpload, ...taken });
  }
}

/** The class that the upload interceptors of NestJS extend. */
const HOST = Object.getPrototypeOf(NoFilesInterceptor()) as Type;

/** Completes a route that takes a form with files. @returns what follows for its policy; nothing for other routes */
function completeUpload(controller: Controller, name: string, handler: object): RoutePolicy {
  const { upload } = policyOf(handler);
  if (!upload && !hasInterceptor(controller) && !hasInterceptor(handler)) return {};
  ApiConsumes('multipart/form-data')(controller.prototype, name, { value: handler });
  return { upload: upload ?? {} };
}

const hasInterceptor = (holder: object): boolean =>
  ((Reflect.getMetadata(INTERCEPTORS_METADATA, holder) ?? []) as unknown[]).some(
    (interceptor) => typeof interceptor === 'function' && interceptor.prototype instanceof HOST,
  );

/** Completes the ordinary routes of NestJS, whichever module they are of. */
@Module({ imports: [DiscoveryModule], providers: [OrdinaryRoutes] })
export class RoutesModule {}
