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
  'Returns an `accessToken`: send it with each request, in `Authorization: Bearer <accessToken>`. It lives for ' +
  '`expiresIn` seconds; `POST /auth/refresh` then gets a new one. The response also sets two cookies, which scripts ' +
  'cannot read: `refresh_token`, for that refresh, and `session_id`, which logs a browser in by itself.\n\n' +
  '`scheme` in the body asks for one of the two: `token` for apps and pages that send the access token, `session` for ' +
  'pages on the origin of the service that rely on the cookie. A wrong e-mail and a wrong password get the same 401.';
const REFRESH =
  'Needs no `Authorization`, only the cookie `refresh_token` that the login has set, and sets a new one: a refresh ' +
  'token is good for one use. If two tabs refresh at once, one gets 200 and the other 401; that one tries again, with ' +
  'the new cookie. A refresh token that comes again more than ten seconds after its use ends the login.';
const LOGOUT =
  'Ends the login of the cookies and of the token that are sent, and clears both cookies. Access tokens that were ' +
  'issued work until they expire, but no longer create or change credentials.';

/** `POST /login` and `POST /auth/refresh` are served at the root, too. */
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
    'The user, and the access token where one is issued.',
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
    'The new access token; the new refresh token is in the cookie.',
    'refresh',
    REFRESH,
  )
  @ApiErrorResponse(AUTHENTICATION_REQUIRED, INVALID_TOKEN, TOKEN_EXPIRED, SESSION_STORE_UNAVAILABLE)
  async refresh(@Cookie(REFRESH_COOKIE) tokens: string[], @Res({ passthrough: true }) reply: FastifyReply) {
    const issued = await this.service.refresh(tokens);
    void reply.header('set-cookie', issued.cookies);
    return issued.body;
  }

  // Public: with credentials that have ended, the cookies must still be cleared.
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
