import {
  Body,
  Controller,
  createParamDecorator,
  ExecutionContext,
  Post,
  Res,
  VERSION_NEUTRAL,
} from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type FastifyReply, FastifyRequest } from 'fastify';

import { ApiErrorResponse, Cached, Public } from '../../core/index.js';
import { AnswersObject, INVALID_CREDENTIALS, NO_STORE, setCookies, SetsCookies } from '../../core/auth.js';
import { SESSION_STORE_UNAVAILABLE } from '../auth.errors.js';
import type { ClientInfo } from '../sessions/logins.repository.js';
import { LoginDto, LoginResultDto } from './login.dto.js';
import { LoginService } from './login.service.js';

const MAX_USER_AGENT = 500;
const MAX_ADDRESS = 45;

/** The client of the request, as `/sessions` shows it. */
export const Client = createParamDecorator((_: undefined, context: ExecutionContext): ClientInfo => {
  const { headers, ip } = context.switchToHttp().getRequest<FastifyRequest>();
  return {
    userAgent: headers['user-agent']?.slice(0, MAX_USER_AGENT) ?? null,
    address: ip.slice(0, MAX_ADDRESS),
  };
});

/** Also served at the root: `POST /login`. */
@ApiTags('Authentication')
@Controller({ version: ['1', '2', VERSION_NEUTRAL] })
export class LoginController {
  constructor(private readonly service: LoginService) {}

  @Post('login')
  @Public()
  @Cached(NO_STORE)
  @SetsCookies()
  @AnswersObject(
    LoginResultDto,
    'Log in with e-mail and password',
    'The user, and the access token where one is issued.',
  )
  @ApiErrorResponse(INVALID_CREDENTIALS, SESSION_STORE_UNAVAILABLE)
  async login(
    @Body() body: LoginDto,
    @Client() client: ClientInfo,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const issued = await this.service.login(body, client);
    setCookies(reply, issued.cookies);
    return issued.body;
  }
}
