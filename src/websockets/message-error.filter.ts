import { ArgumentsHost, Catch } from '@nestjs/common';
import { BaseWsExceptionFilter, WsException } from '@nestjs/websockets';

import { ErrorTranslator, toApiError } from '../http/errors/foreign-errors.js';

/**
 * Answers messages that fail with `{ "event": "exception", "data": { "code", "message", "status", "details" } }`, as a
 * request would be answered. NestJS's own filter tells nothing of a bug, and logs it.
 */
@Catch()
export class MessageErrorFilter extends BaseWsExceptionFilter {
  constructor(private readonly translators: readonly ErrorTranslator[]) {
    super({ includeCause: false });
  }

  override catch(error: unknown, host: ArgumentsHost): void {
    const isOwn = error instanceof WsException;
    const apiError = isOwn ? undefined : toApiError(error, this.translators);
    const isTold = apiError !== undefined && apiError.status < 500;
    super.catch(isTold ? new WsException(apiError.toBody().error) : error, host);
  }
}
