import { Module } from '@nestjs/common';
import { JwksController } from '@plinth/core/auth';

import { ApiKeysController } from './api-keys/api-keys.controller.js';
import { LoginController } from './login/login.controller.js';
import { RecoveryController } from './recovery/recovery.controller.js';
import { SessionsController } from './sessions/sessions.controller.js';
import { ApiKeyStrategy } from './strategies/api-key.strategy.js';
import { BasicStrategy } from './strategies/basic.strategy.js';
import { BearerStrategy } from './strategies/bearer.strategy.js';
import { SessionStrategy } from './strategies/session.strategy.js';

/** Contains the login routes and the authentication schemes. `@plinth/core/auth` verifies the credentials. */
@Module({
  controllers: [LoginController, RecoveryController, SessionsController, ApiKeysController, JwksController],
  providers: [BearerStrategy, BasicStrategy, ApiKeyStrategy, SessionStrategy],
})
export class AuthModule {}
