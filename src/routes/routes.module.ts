import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';

import { OrdinaryRoutes } from './ordinary-routes.js';

/** Completes the ordinary routes of NestJS, whichever module they are of. */
@Module({ imports: [DiscoveryModule], providers: [OrdinaryRoutes] })
export class RoutesModule {}
