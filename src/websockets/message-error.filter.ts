import { ArgumentsHost, Catch, Logger, WsExceptionFilter } from '@nestjs/common';
import { BaseWsExceptionFilter, WsException } from '@nestjs/websockets';

import { ErrorTranslator, toApiError } from '../http/errors/foreign-errors.js';

interface Client {
  send(text: string): void;
}

/**
 * Answers messages that fail with `{ "event": "exception", "data": { "code", "message", "status", "details" } }`, as a
 * request would be answered: nothing of a bug is told. A `WsException` says itself what it tells.
 */
@Catch()
export class MessageErrorFilter implements WsExceptionFilter {
  private readonly logger = new Logger('WebSocket');
  private readonly own = new BaseWsExceptionFilter({ includeCause: false });

  constructor(private readonly translators: readonly ErrorTranslator[]) {}

  catch(error: unknown, host: ArgumentsHost): void {
    if (error instanceof WsException) {
      this.own.catch(error, host);
      return;
    }
    const apiError = toApiError(error, this.translators);
    if (apiError.status >= 500) {
      const { cause = apiError } = apiError;
      this.logger.error(apiError.message, cause instanceof Error ? cause.stack : cause);
    }
    const data = apiError.toBody().error;
    host
      .switchToWs()
      .getClient<Client>()
      .send(JSON.stringify({ event: 'exception', data }));
  }
}
