import { Injectable, Type, Module } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryModule, DiscoveryService, MetadataScanner } from '@nestjs/core';

import { addRoutePolicy } from '../http/route-policy.js';
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
    const taken = completeParameters(controller, name);
    const ofStream = completeEventStream(handler);
    addRoutePolicy(controller as unknown as Type, name, { ...ofStream, ...taken });
  }
}

/** Completes the ordinary routes of NestJS, whichever module they are of. */
@Module({ imports: [DiscoveryModule], providers: [OrdinaryRoutes] })
export class RoutesModule {}
