import { Controller, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';

import { CurrentPrincipal } from '../../access/current-user.decorator.js';
import { RequirePermission } from '../../access/require-permission.decorator.js';
import type { Principal } from '../../access/principal.js';
import { Cached, NO_STORE } from '../../http/caching/cache-policy.js';
import { Cookie, setCookies, SetsCookies } from '../../http/cookies.js';
import { AnswersNothing } from '../../resources/openapi/answers.decorator.js';
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
