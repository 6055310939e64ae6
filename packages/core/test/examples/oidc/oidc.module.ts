import { DynamicModule, Module } from '@nestjs/common';

import { OidcIssuer, OidcStrategy } from './oidc.strategy.js';

/** Adds the scheme of an OpenID Connect issuer to the service. */
@Module({})
export class OidcModule {
  static for(issuer: OidcIssuer): DynamicModule {
    return { module: OidcModule, providers: [{ provide: OidcIssuer, useValue: issuer }, OidcStrategy] };
  }
}
