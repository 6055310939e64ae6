import { Injectable, Type } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';

import { addRoutePolicy, policyOf, RoutePolicy, routePolicy } from '../http/route-policy.js';
import { resourceOf } from '../resources/resource.js';
import { copyMetadata, definedInPlaceOf, Handler, writtenAs } from '../resources/route-metadata.js';
import { completeEventStream } from './event-stream.js';
import { completeParameters } from './complete-parameters.js';
import { completeUpload } from './upload-routes.js';

interface Controller {
  readonly name: string;
  readonly prototype: Record<string, Handler>;
}

/** A route of a controller, its own or an inherited one. */
interface Route {
  readonly controller: Controller;
  readonly name: string;
  readonly handler: Handler;
  readonly ofClass: RoutePolicy;
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
      const ofClass = policyOf(controller);
      return this.scanner.getAllMethodNames(controller.prototype).flatMap((name) => {
        const handler = writtenAs(controller.prototype[name] as Handler);
        if (!Reflect.hasMetadata(PATH_METADATA, handler)) return [];
        return { controller, name, handler, ofClass };
      });
    });
  }

  private completeRoute(route: Route): void {
    const { controller, name } = route;
    const isOfResource = resourceOf(controller) !== undefined;
    if (isOfResource && Object.keys(route.ofClass).length > 0)
      throw new Error(`${controller.name}: say it in @Resource(), whose routes follow from it`);
    const handler = isOfResource ? (controller.prototype[name] as Handler) : define(route);
    const ofUpload = completeUpload(controller, name, handler);
    const taken = completeParameters(controller, name);
    const ofStream = completeEventStream(handler);
    addRoutePolicy(controller as unknown as Type, name, { ...ofStream, ...ofUpload, ...taken });
  }
}

/**
 * Defines a route on its controller where that says something of all its routes; what the route says goes before it.
 */
function define({ controller, name, handler, ofClass }: Route): Handler {
  if (Object.keys(ofClass).length === 0) return handler;
  const defined: Handler = function (...args) {
    return handler.apply(this, args);
  };
  const descriptor = definedInPlaceOf(handler, name, defined);
  copyMetadata(handler, defined);
  routePolicy({ ...ofClass, ...policyOf(handler) })(controller.prototype, name, descriptor);
  Object.defineProperty(controller.prototype, name, descriptor);
  return defined;
}
