import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { UsersModule } from '../users/users.module.js';
import { ApiKeyEntity } from './api-keys/api-key.entity.js';
import { ApiKeysController } from './api-keys/api-keys.controller.js';
import { ApiKeysRepository } from './api-keys/api-keys.repository.js';
import { ApiKeysService } from './api-keys/api-keys.service.js';
import { ProvedKeys } from './api-keys/proved-keys.js';
import { Authentication } from './authentication.js';
import { LoginController } from './login/login.controller.js';
import { LoginService } from './login/login.service.js';
import { LogoutController } from './login/logout.controller.js';
import { RefreshController } from './login/refresh.controller.js';
import { LoginLimits } from './passwords/login-limits.js';
import { PasswordCheck } from './passwords/password-check.js';
import { ProvedPairs } from './passwords/proved-pairs.js';
import { CleanUp } from './sessions/clean-up.js';
import {
  LoginAddressEntity,
  LoginEntity,
  RefreshTokenEntity,
  SessionEntity,
} from './sessions/login.entity.js';
import { CurrentLogins } from './sessions/current-logins.js';
import { LoginsRepository } from './sessions/logins.repository.js';
import { LoginsService } from './sessions/logins.service.js';
import { ProvedSessions } from './sessions/proved-sessions.js';
import { sessionStoreProvider } from './sessions/session-store.provider.js';
import { SessionsController } from './sessions/sessions.controller.js';
import { SessionsService } from './sessions/sessions.service.js';
import { ApiKeyStrategy } from './strategies/api-key.strategy.js';
import { BasicStrategy } from './strategies/basic.strategy.js';
import { BearerStrategy } from './strategies/bearer.strategy.js';
import { SessionStrategy } from './strategies/session.strategy.js';
import { AccessTokens } from './tokens/access-tokens.js';
import { JwksController } from './tokens/jwks.controller.js';
import { SigningKeys } from './tokens/signing-keys.js';

/** Who the caller is. */
@Module({
  imports: [
    TypeOrmModule.forFeature([
      LoginEntity,
      LoginAddressEntity,
      SessionEntity,
      RefreshTokenEntity,
      ApiKeyEntity,
    ]),
    UsersModule,
  ],
  controllers: [
    LoginController,
    RefreshController,
    LogoutController,
    SessionsController,
    ApiKeysController,
    JwksController,
  ],
  providers: [
    Authentication,
    BearerStrategy,
    BasicStrategy,
    ApiKeyStrategy,
    SessionStrategy,
    PasswordCheck,
    LoginLimits,
    ProvedPairs,
    ApiKeysService,
    ApiKeysRepository,
    ProvedKeys,
    AccessTokens,
    SigningKeys,
    LoginService,
    LoginsService,
    LoginsRepository,
    SessionsService,
    ProvedSessions,
    CurrentLogins,
    sessionStoreProvider,
    CleanUp,
  ],
})
export class AuthModule {}
