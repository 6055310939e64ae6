import { Type } from '@nestjs/common';
import { EXCEPTION_FILTERS_METADATA } from '@nestjs/common/constants.js';
import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { GATEWAY_METADATA, GATEWAY_OPTIONS, PORT_METADATA } from '@nestjs/websockets/constants.js';

import { readRoutePolicy } from '../http/route-policy.js';

/** Serves WebSocket gateways. Call it before the application is initialized. @throws Error for a gateway without a path, or with a port */
export async function serveGateways(
  nest: NestFastifyApplication,
  providers: readonly object[],
): Promise<void> {
  const gateways = providers.filter((provider) => Reflect.hasMetadata(GATEWAY_METADATA, provider)) as Type[];
  if (gateways.length === 0) return;
  const { GatewayAdapter, MessageErrorFilter } = await import('./gateway.adapter.js');
  const adapter = new GatewayAdapter(nest.getHttpAdapter().getInstance());
  for (const gateway of gateways) {
    adapter.route(readGatewayPath(gateway), readRoutePolicy(gateway));
    const filters = (Reflect.getMetadata(EXCEPTION_FILTERS_METADATA, gateway) ?? []) as unknown[];
    // NestJS asks the first filter last.
    Reflect.defineMetadata(EXCEPTION_FILTERS_METADATA, [new MessageErrorFilter(), ...filters], gateway);
  }
  nest.useWebSocketAdapter(adapter);
}

function readGatewayPath(gateway: Type): string {
  const { path } = (Reflect.getMetadata(GATEWAY_OPTIONS, gateway) ?? {}) as { path?: string };
  const port = Reflect.getMetadata(PORT_METADATA, gateway) as number | undefined;
  if (port)
    throw new Error(
      `${gateway.name} must not have a port (got ${port}): authentication would not apply to it`,
    );
  if (!path?.startsWith('/')) throw new Error(`${gateway.name}: @WebSocketGateway() needs a path: /api/v1/…`);
  return path;
}
