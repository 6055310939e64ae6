import { Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import { Caller } from '../../access/caller.decorator.js';
import { RequirePermission } from '../../access/require-permission.decorator.js';
import type { Principal } from '../../access/principal.js';
import { Cookie, CookieAnswer, SetsCookies } from '../../http/cookies.js';
import { AnswersNothing } from '../../resources/openapi/answers.decorator.js';
import { REFRESH_COOKIE, SESSION_COOKIE } from './login-cookies.js';
import { LoginService } from './login.service.js';

@ApiTags('Authentication')
@Controller({ version: ['1', '2'] })
export class LogoutController {
  constructor(private readonly service: LoginService) {}

  @Post('logout')
  @RequirePermission('delete', { orOwner: true })
  @SetsCookies()
  @AnswersNothing('Log out: end the session and the refresh tokens of this login')
  logout(
    @Cookie(SESSION_COOKIE) sessionIds: string[],
    @Cookie(REFRESH_COOKIE) refreshTokens: string[],
    @Caller() caller: Principal,
  ): Promise<CookieAnswer> {
    return this.service.logout({ sessionIds, refreshTokens }, caller);
  }
}
