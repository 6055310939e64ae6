import { Body, Controller, Post, Req } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  ApiErrorResponse,
  Cached,
  Caller,
  CurrentUser,
  INVALID_TOKEN,
  NeedsMail,
  Public,
  RequirePermission,
} from '@plinth/core';
import {
  ApiNoContent,
  INVALID_RESET_TOKEN,
  INVALID_VERIFICATION_TOKEN,
  NO_STORE,
  Recovery,
} from '@plinth/core/auth';
import type { FastifyRequest } from 'fastify';

import { ConfirmEmailDto, ConfirmPasswordDto, PasswordResetDto } from './recovery.dto.js';

@ApiTags('Authentication')
@Controller({ path: 'auth', version: ['1', '2'] })
@NeedsMail()
@Cached(NO_STORE)
export class RecoveryController {
  constructor(private readonly recovery: Recovery) {}

  @Post('password-reset')
  @Public()
  @ApiNoContent(202)
  @ApiOperation({
    summary: 'Request a mail with a link to set a new password',
    description:
      'The response is the same whether or not the user exists. The link can be used once, within 30 minutes. An account gets at most one mail a minute.',
    operationId: 'requestPasswordReset',
  })
  requestReset(@Body() { email }: PasswordResetDto, @Req() { ip }: FastifyRequest): Promise<void> {
    return this.recovery.requestPasswordReset(email, ip);
  }

  @Post('password-reset/confirm')
  @Public()
  @ApiNoContent()
  @ApiOperation({
    summary: 'Set a new password with the token from a mail',
    description: 'Ends all logins of the user, with their sessions and refresh tokens.',
    operationId: 'resetPassword',
  })
  @ApiErrorResponse(INVALID_RESET_TOKEN)
  reset(@Body() { token, password }: ConfirmPasswordDto): Promise<void> {
    return this.recovery.resetPassword(token, password);
  }

  @Post('email-verification')
  @RequirePermission('create', { ownerField: true })
  @ApiNoContent(202)
  @ApiOperation({
    summary: 'Request a mail with a link to confirm your e-mail',
    description:
      'The link can be used once, within a day. If the e-mail is already confirmed, no mail is sent.',
    operationId: 'requestEmailVerification',
  })
  @ApiErrorResponse(INVALID_TOKEN)
  requestVerification(@CurrentUser() caller: Caller): Promise<void> {
    return this.recovery.requestEmailVerification(caller);
  }

  @Post('email-verification/confirm')
  @Public()
  @ApiNoContent()
  @ApiOperation({
    summary: 'Confirm an e-mail with the token from a mail',
    description:
      'The link in the mail opens a page. The page sends the `token` from its URL. A token can be used once.',
    operationId: 'verifyEmail',
  })
  @ApiErrorResponse(INVALID_VERIFICATION_TOKEN)
  verify(@Body() { token }: ConfirmEmailDto): Promise<void> {
    return this.recovery.verifyEmail(token);
  }
}
