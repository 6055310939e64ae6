import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';

import { AuthSchemes } from './auth-schemes.js';

/** The registry of authentication schemes, whichever modules they are of. */
@Module({ imports: [DiscoveryModule], providers: [AuthSchemes], exports: [AuthSchemes] })
export class SchemesModule {}
