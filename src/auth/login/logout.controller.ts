import { Controller, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';

import { Cached, CurrentPrincipal, type Principal, RequirePermission } from '../../core/index.js';
import { AnswersNothing, Cookie, NO_STORE, setCookies, SetsCookies } from '../../core/auth.js';
import { NO_COOKIES, REFRESH_COOKIE, SESSION_COOKIE } from './login-cookies.js';
import { LoginService } from './login.service.js';

@ApiTags('Authentication')
@Controller({ version: ['1', '2'] })
export class LogoutController {
  constructor(private readonly service: LoginService) {}

  @Post('logout')
  @RequirePermission('delete', { orOwner: true })
  @Cached(NO_STORE)
  @SetsCookies()
  @AnswersNothing('Log out: end the session and the refresh tokens of this login')
  async logout(
    @Cookie(SESSION_COOKIE) sessionIds: string[],
    @Cookie(REFRESH_COOKIE) refreshTokens: string[],
    @CurrentPrincipal() caller: Principal,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    await this.service.logout({ sessionIds, refreshTokens }, caller);
    setCookies(reply, NO_COOKIES);
  }
}
