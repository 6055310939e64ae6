import { Type } from '@nestjs/common';
import { NestFastifyApplication } from '@nestjs/platform-fastify';

import { readRoutePolicy } from '../routes/route-policy.js';
import { filtersOf, gatewayAddressOf, isGateway, setFilters } from '../nest/route-metadata.js';

/**
 * Serves the WebSocket gateways among the providers of an application. Call it before the application is initialized.
 * @throws Error if a gateway has no path, or has a port of its own
 */
export async function serveGateways(
  nest: NestFastifyApplication,
  providers: readonly object[],
): Promise<void> {
  const gateways = providers.filter(isGateway);
  if (gateways.length === 0) return;
  const { GatewayAdapter, MessageErrorFilter } = await import('./gateway.adapter.js');
  const adapter = new GatewayAdapter(nest.getHttpAdapter().getInstance());
  for (const gateway of gateways) {
    adapter.route(readGatewayPath(gateway), readRoutePolicy(gateway));
    // NestJS tries the filters from the last to the first. So the first filter gets only errors that the gateway's own
    // filters do not catch.
    setFilters(gateway, [new MessageErrorFilter(), ...filtersOf(gateway)]);
  }
  nest.useWebSocketAdapter(adapter);
}

function readGatewayPath(gateway: Type): string {
  const { path, port } = gatewayAddressOf(gateway);
  if (port)
    throw new Error(
      `${gateway.name} must not have a port (got ${port}): authentication would not apply to it`,
    );
  if (!path?.startsWith('/'))
    throw new Error(`${gateway.name}: @WebSocketGateway() must have a path, such as /api/v1/…`);
  return path;
}
