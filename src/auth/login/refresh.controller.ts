import { Controller, Post, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';

import { ApiErrorResponse, Cached, INVALID_TOKEN, Public, TOKEN_EXPIRED } from '../../core/index.js';
import {
  AnswersObject,
  AUTHENTICATION_REQUIRED,
  Cookie,
  NO_STORE,
  setCookies,
  SetsCookies,
} from '../../core/auth.js';
import { SESSION_STORE_UNAVAILABLE } from '../auth.errors.js';
import { REFRESH_COOKIE } from './login-cookies.js';
import { AccessTokenDto } from './login.dto.js';
import { LoginService } from './login.service.js';

/** Also served at the root: `POST /auth/refresh`. */
@ApiTags('Authentication')
@Controller({ path: 'auth', version: ['1', '2', VERSION_NEUTRAL] })
export class RefreshController {
  constructor(private readonly service: LoginService) {}

  @Post('refresh')
  @Public()
  @Cached(NO_STORE)
  @SetsCookies()
  @AnswersObject(
    AccessTokenDto,
    'Exchange the cookie `refresh_token` for a new access token and a new cookie',
    'The new access token; the new refresh token is in the cookie.',
  )
  @ApiErrorResponse(AUTHENTICATION_REQUIRED, INVALID_TOKEN, TOKEN_EXPIRED, SESSION_STORE_UNAVAILABLE)
  async refresh(@Cookie(REFRESH_COOKIE) tokens: string[], @Res({ passthrough: true }) reply: FastifyReply) {
    const issued = await this.service.refresh(tokens);
    setCookies(reply, issued.cookies);
    return issued.body;
  }
}
