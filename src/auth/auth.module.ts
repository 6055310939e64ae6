import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { UsersModule } from '#src/users/users.module.js';

import { Authentication } from './authentication.js';
import { LoginController } from './login/login.controller.js';
import { LoginService } from './login/login.service.js';
import { LogoutController } from './login/logout.controller.js';
import { RefreshController } from './login/refresh.controller.js';
import { CleanUp } from './sessions/clean-up.js';
import { LoginEntity, RefreshTokenEntity, SessionEntity } from './sessions/login.entity.js';
import { LoginsRepository } from './sessions/logins.repository.js';
import { LoginsService } from './sessions/logins.service.js';
import { ProvedSessions } from './sessions/proved-sessions.js';
import { sessionStoreProvider } from './sessions/session-store.provider.js';
import { SessionsController } from './sessions/sessions.controller.js';
import { SessionsService } from './sessions/sessions.service.js';
import { BearerStrategy } from './strategies/bearer.strategy.js';
import { AccessTokens } from './tokens/access-tokens.js';

/** Who the caller is. */
@Module({
  imports: [TypeOrmModule.forFeature([LoginEntity, SessionEntity, RefreshTokenEntity]), UsersModule],
  controllers: [LoginController, RefreshController, LogoutController, SessionsController],
  providers: [
    Authentication,
    BearerStrategy,
    AccessTokens,
    LoginService,
    LoginsService,
    LoginsRepository,
    SessionsService,
    ProvedSessions,
    sessionStoreProvider,
    CleanUp,
  ],
})
export class AuthModule {}
