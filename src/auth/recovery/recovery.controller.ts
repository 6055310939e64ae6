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
    summary: 'Ask for a mail with a link that sets a new password',
    description:
      'The response is the same whether there is such a user or not. The link is good for 30 minutes, and once; of an account one mail a minute is sent.',
    operationId: 'requestPasswordReset',
  })
  requestReset(@Body() { email }: PasswordResetDto, @Req() { ip }: FastifyRequest): Promise<void> {
    return this.recovery.requestPasswordReset(email, ip);
  }

  @Post('password-reset/confirm')
  @Public()
  @ApiNoContent()
  @ApiOperation({
    summary: 'Set a new password with the token of a mail',
    description: 'All logins of the user end: sessions, and refresh tokens.',
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
    summary: 'Ask for a mail with a link that confirms your e-mail',
    description:
      'The link is good for a day, and once. Nothing is sent where the e-mail is confirmed already.',
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
    summary: 'Confirm an e-mail with the token of a mail',
    description:
      'The page that the link of the mail leads to sends the `token` of its URL. A token is good for one use.',
    operationId: 'verifyEmail',
  })
  @ApiErrorResponse(INVALID_VERIFICATION_TOKEN)
  verify(@Body() { token }: ConfirmEmailDto): Promise<void> {
    return this.recovery.verifyEmail(token);
  }
}
