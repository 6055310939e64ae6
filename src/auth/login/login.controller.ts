import { Body, Controller, Post, Req, Res, Version, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiErrorResponse, bearerToken, Cached, INVALID_TOKEN, Public, TOKEN_EXPIRED } from '@plinth/core';
import {
  ApiNoContent,
  ApiObjectResponse,
  AUTHENTICATION_REQUIRED,
  Cookie,
  INVALID_CREDENTIALS,
  LoginsService,
  CLEARED_COOKIES,
  NO_STORE,
  REFRESH_COOKIE,
  SESSION_COOKIE,
  SESSION_STORE_UNAVAILABLE,
  SetsCookies,
  toResponseAt,
} from '@plinth/core/auth';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { AccessTokenDto, LoginDto, LoginResultDto, LoginResultV2Dto } from './login.dto.js';

const LOGIN =
  'Returns an `accessToken`. Send it with each request, as `Authorization: Bearer <accessToken>`. It expires after ' +
  '`expiresIn` seconds; get a new one from `POST /auth/refresh`. The response also sets two cookies that scripts cannot ' +
  'read: `refresh_token`, which `POST /auth/refresh` needs, and `session_id`, which authenticates a browser without a ' +
  'token.\n\n' +
  'To get only tokens or only a session, send `scheme`: `token` for apps and pages that send the access token, or ' +
  '`session` for pages on the origin of the service that rely on the cookie. The response is the same 401 for a wrong ' +
  'e-mail and for a wrong password.';
const REFRESH =
  'Needs only the cookie `refresh_token` that the login has set, and no `Authorization`. Each refresh token can be used ' +
  'once, so the response sets a new cookie. If two tabs refresh at the same time, one gets 200 and the other gets 401. ' +
  'The tab that got 401 should try again, because the browser then sends the new cookie. If a refresh token is sent ' +
  'again more than ten seconds after its use, the login ends.';
const LOGOUT =
  'Ends the login that the cookies and the token of the request belong to, and clears both cookies. Access tokens of the ' +
  'login work until they expire, but can no longer create or change credentials.';

/** `POST /login` and `POST /auth/refresh` are version-neutral: they are also served on paths without `/api/v1`. */
@ApiTags('Authentication')
@Controller({ version: ['1', '2', VERSION_NEUTRAL] })
@Cached(NO_STORE)
export class LoginController {
  constructor(private readonly service: LoginsService) {}

  @Post('login')
  @Public()
  @SetsCookies()
  @ApiObjectResponse(
    { 1: LoginResultDto, 2: LoginResultV2Dto },
    'Log in with e-mail and password',
    'The user, and the access token unless `scheme` is `session`.',
    undefined,
    LOGIN,
  )
  @ApiErrorResponse(INVALID_CREDENTIALS, SESSION_STORE_UNAVAILABLE)
  async login(
    @Body() body: LoginDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { headers, ip: address } = request;
    const issued = await this.service.login(body, { userAgent: headers['user-agent'] ?? null, address });
    void reply.header('set-cookie', issued.cookies);
    return { ...issued.body, user: toResponseAt('users/:id', issued.body.user, request) };
  }

  @Post('auth/refresh')
  @Public()
  @SetsCookies()
  @ApiObjectResponse(
    AccessTokenDto,
    'Exchange the cookie `refresh_token` for a new access token and a new cookie',
    'The new access token. The new refresh token is in the cookie.',
    'refresh',
    REFRESH,
  )
  @ApiErrorResponse(AUTHENTICATION_REQUIRED, INVALID_TOKEN, TOKEN_EXPIRED, SESSION_STORE_UNAVAILABLE)
  async refresh(@Cookie(REFRESH_COOKIE) tokens: string[], @Res({ passthrough: true }) reply: FastifyReply) {
    const issued = await this.service.refresh(tokens);
    void reply.header('set-cookie', issued.cookies);
    return issued.body;
  }

  // Public, because the cookies must be cleared even if the credentials have expired.
  @Post('logout')
  @Version(['1', '2'])
  @Public()
  @ApiBearerAuth()
  @SetsCookies()
  @ApiNoContent()
  @ApiOperation({
    summary: 'Log out: end the session and the refresh tokens of this login',
    description: LOGOUT,
    operationId: 'logout',
  })
  async logout(
    @Cookie(SESSION_COOKIE) sessionIds: string[],
    @Cookie(REFRESH_COOKIE) refreshTokens: string[],
    @Req() { headers }: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    await this.service.logout(sessionIds, refreshTokens, bearerToken(headers.authorization));
    void reply.header('set-cookie', CLEARED_COOKIES);
  }
}
