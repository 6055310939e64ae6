import { LoggerService } from '@nestjs/common';
import { DestinationStream, Logger, pino } from 'pino';

import { LogLevel } from '../../config/config.js';
import { LogOutput } from './log-output.js';

/**
 * The logger: one JSON object a line. Nothing that a client sent is logged but its method, route, address and request
 * id.
 *
 * @param output where the lines go: standard output where none is given
 */
export function createLogger(level: LogLevel, output: DestinationStream = new LogOutput()): Logger {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, output);
}

/** Nest's own messages through our logger: its routine ones are of interest only when debugging. */
export class NestLog implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, context?: string): void {
    this.logger.debug({ context }, String(message));
  }

  warn(message: unknown, context?: string): void {
    this.logger.warn({ context }, String(message));
  }

  error(message: unknown, stack?: string, context?: string): void {
    // A database that is not there yet is tried again; where it stays away the start says why.
    const isRetry = context === 'TypeOrmModule';
    this.logger.error(
      { context, stack: isRetry ? undefined : stack },
      message instanceof Error ? message.message : String(message),
    );
  }

  fatal(message: unknown, context?: string): void {
    this.logger.fatal({ context }, String(message));
  }
}
