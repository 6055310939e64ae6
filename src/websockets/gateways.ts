import { Injectable, PipeTransform, Type } from '@nestjs/common';
import { EXCEPTION_FILTERS_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { InstanceWrapper } from '@nestjs/core/injector/instance-wrapper.js';

import { policyOf, RoutePolicy } from '../http/route-policy.js';
import { instanceOf } from '../routes/ordinary-routes.js';
import { completeParameters } from '../routes/complete-parameters.js';
import { merged, takeValidationPipes } from '../routes/validation-pipes.js';
import type { MessageErrorFilter } from './message-error.filter.js';

// Names of @nestjs/websockets: the package is loaded only where there are gateways.
const GATEWAY = 'websockets:is_gateway';
const OPTIONS = 'websockets:gateway_options';
const PORT = 'port';
const MESSAGE = 'websockets:message_mapping';

interface GatewayClass {
  readonly name: string;
  readonly prototype: Record<string, object>;
}

interface Gateway {
  readonly wrapper: InstanceWrapper;
  readonly metatype: GatewayClass;
}

/** The WebSocket gateways of the modules. */
@Injectable()
export class Gateways {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  /** Whether there are any. */
  get areThere(): boolean {
    return this.all().length > 0;
  }

  /**
   * Completes the handlers of messages: their DTOs are validated, and their errors answered.
   *
   * @returns the policies of the gateways, by their paths
   * @throws Error at start for a gateway without a path, or on a port of its own, which no authentication guards
   */
  complete(filter: MessageErrorFilter): ReadonlyMap<string, RoutePolicy> {
    const policies = new Map<string, RoutePolicy>();
    for (const { wrapper, metatype } of this.all()) {
      policies.set(pathOf(metatype), policyOf(metatype));
      const filters = (Reflect.getMetadata(EXCEPTION_FILTERS_METADATA, metatype) ?? []) as object[];
      const others = filters.filter((other) => other.constructor !== filter.constructor);
      // The first is asked last.
      Reflect.defineMetadata(EXCEPTION_FILTERS_METADATA, [filter, ...others], metatype);
      this.completeHandlers(wrapper, metatype);
    }
    return policies;
  }

  private completeHandlers(wrapper: InstanceWrapper, metatype: GatewayClass): void {
    for (const name of this.scanner.getAllMethodNames(metatype.prototype)) {
      const handler = metatype.prototype[name] as object;
      if (!Reflect.hasMetadata(MESSAGE, handler)) continue;
      completeParameters({
        controller: metatype,
        name,
        validation: merged(takeValidationPipes(metatype), takeValidationPipes(handler)),
        payload: undefined,
        isForm: false,
        instanceOf: (pipe: Type<PipeTransform>) => instanceOf(pipe, wrapper),
      });
    }
  }

  private all(): Gateway[] {
    return this.discovery.getProviders().flatMap((wrapper) => {
      const metatype = wrapper.metatype as GatewayClass | null;
      return metatype && Reflect.getMetadata(GATEWAY, metatype) ? { wrapper, metatype } : [];
    });
  }
}

function pathOf(metatype: GatewayClass): string {
  const { path } = (Reflect.getMetadata(OPTIONS, metatype) ?? {}) as { path?: string };
  const port = Reflect.getMetadata(PORT, metatype) as number | undefined;
  if (port)
    throw new Error(`${metatype.name} listens at port ${port}, past authentication; leave the port out`);
  if (!path?.startsWith('/'))
    throw new Error(`${metatype.name}: @WebSocketGateway() needs a path: /api/v1/…`);
  return path;
}
