import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';

import { Gateways } from './gateways.js';

/** Completes WebSocket gateways, whichever module they are of. */
@Module({ imports: [DiscoveryModule], providers: [Gateways] })
export class WebSocketsModule {}
