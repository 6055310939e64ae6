import { NestFastifyApplication } from '@nestjs/platform-fastify';

import { ErrorTranslator } from '../http/errors/foreign-errors.js';
import type { GatewayParts } from './gateway.adapter.js';
import { Gateways } from './gateways.js';

/**
 * Serves the WebSocket gateways of the modules. Where there are none, nothing of it is loaded. To be called before the
 * application is initialized.
 *
 * @param translators who is asked what to tell a client of an error
 */
export async function useGateways(
  nest: NestFastifyApplication,
  parts: Pick<GatewayParts, 'origins' | 'authenticate'> & {
    readonly translators: readonly ErrorTranslator[];
  },
): Promise<void> {
  const gateways = nest.get(Gateways, { strict: false });
  if (!gateways.areThere) return;
  const { GatewayAdapter } = await import('./gateway.adapter.js');
  const { MessageErrorFilter } = await import('./message-error.filter.js');
  const { translators, origins, authenticate } = parts;
  const policies = gateways.complete(new MessageErrorFilter(translators));
  const server = nest.getHttpAdapter().getInstance();
  nest.useWebSocketAdapter(new GatewayAdapter(nest, { server, policies, origins, authenticate }));
}
