import { Module } from '@nestjs/common';

import { UsersModule } from '#src/users/users.module.js';

import { Authentication } from './authentication.js';
import { LoginController } from './login/login.controller.js';
import { LoginService } from './login/login.service.js';
import { BearerStrategy } from './strategies/bearer.strategy.js';
import { AccessTokens } from './tokens/access-tokens.js';

/** Who the caller is. */
@Module({
  imports: [UsersModule],
  controllers: [LoginController],
  providers: [Authentication, BearerStrategy, AccessTokens, LoginService],
})
export class AuthModule {}
