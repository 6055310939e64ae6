import { Injectable } from '@nestjs/common';
import { EXCEPTION_FILTERS_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService } from '@nestjs/core';
import { GATEWAY_METADATA, GATEWAY_OPTIONS, PORT_METADATA } from '@nestjs/websockets/constants.js';

import { policyOf, RoutePolicy } from '../http/route-policy.js';
import type { MessageErrorFilter } from './message-error.filter.js';

interface GatewayClass {
  readonly name: string;
}

/** The WebSocket gateways of the modules. */
@Injectable()
export class Gateways {
  constructor(private readonly discovery: DiscoveryService) {}

  /** Whether there are any. */
  get areThere(): boolean {
    return this.all().length > 0;
  }

  /**
   * Has the errors of handlers of messages answered.
   *
   * @returns the policies of the gateways, by their paths
   * @throws Error at start for a gateway without a path, or on a port of its own, which no authentication guards
   */
  complete(filter: MessageErrorFilter): ReadonlyMap<string, RoutePolicy> {
    const policies = new Map<string, RoutePolicy>();
    for (const metatype of this.all()) {
      policies.set(pathOf(metatype), policyOf(metatype));
      const filters = (Reflect.getMetadata(EXCEPTION_FILTERS_METADATA, metatype) ?? []) as object[];
      const others = filters.filter((other) => other.constructor !== filter.constructor);
      // The first is asked last.
      Reflect.defineMetadata(EXCEPTION_FILTERS_METADATA, [filter, ...others], metatype);
    }
    return policies;
  }

  private all(): GatewayClass[] {
    return this.discovery.getProviders().flatMap(({ metatype }) => {
      const isGateway = metatype && Reflect.hasMetadata(GATEWAY_METADATA, metatype);
      return isGateway ? (metatype as GatewayClass) : [];
    });
  }
}

function pathOf(metatype: GatewayClass): string {
  const { path } = (Reflect.getMetadata(GATEWAY_OPTIONS, metatype) ?? {}) as { path?: string };
  const port = Reflect.getMetadata(PORT_METADATA, metatype) as number | undefined;
  if (port)
    throw new Error(`${metatype.name} listens at port ${port}, past authentication; leave the port out`);
  if (!path?.startsWith('/'))
    throw new Error(`${metatype.name}: @WebSocketGateway() needs a path: /api/v1/…`);
  return path;
}
