import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { Authentication, RateLimitModule, SchemesModule } from '../core/auth.js';
import { UsersModule } from '../users/users.module.js';
import { ApiKey } from './api-keys/api-key.entity.js';
import { ApiKeysController } from './api-keys/api-keys.controller.js';
import { ApiKeysRepository } from './api-keys/api-keys.repository.js';
import { ApiKeysService } from './api-keys/api-keys.service.js';
import { LoginController } from './login/login.controller.js';
import { LoginService } from './login/login.service.js';
import { PasswordVerifier } from './passwords/password-verifier.js';
import { LoginAddressEntity, Login, RefreshTokenEntity, SessionEntity } from './sessions/login.entity.js';
import { LoginsRepository } from './sessions/logins.repository.js';
import { sessionStoreProvider } from './sessions/session-stores.js';
import { SessionsController } from './sessions/sessions.controller.js';
import { SessionsService } from './sessions/sessions.service.js';
import { ApiKeyStrategy } from './strategies/api-key.strategy.js';
import { BasicStrategy } from './strategies/basic.strategy.js';
import { BearerStrategy } from './strategies/bearer.strategy.js';
import { SessionStrategy } from './strategies/session.strategy.js';
import { AccessTokens } from './tokens/access-tokens.js';
import { JwksController } from './tokens/jwks.controller.js';
import { SigningKeys } from './tokens/signing-keys.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([Login, LoginAddressEntity, SessionEntity, RefreshTokenEntity, ApiKey]),
    UsersModule,
    SchemesModule,
    RateLimitModule,
  ],
  controllers: [LoginController, SessionsController, ApiKeysController, JwksController],
  providers: [
    Authentication,
    BearerStrategy,
    BasicStrategy,
    ApiKeyStrategy,
    SessionStrategy,
    PasswordVerifier,
    ApiKeysService,
    ApiKeysRepository,
    AccessTokens,
    SigningKeys,
    LoginService,
    LoginsRepository,
    SessionsService,
    sessionStoreProvider,
  ],
})
export class AuthModule {}
