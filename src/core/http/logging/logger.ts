import { LoggerService } from '@nestjs/common';
import { DestinationStream, Logger, pino, stdTimeFunctions } from 'pino';

import { LogLevel } from '../../config/config.js';
import { LogOutput } from './log-output.js';

/** Fields that are never written, should a module log an object that has them. */
const SECRETS = ['password', 'currentPassword', 'authorization', 'cookie', 'token', 'secret', 'key'];

/**
 * The logger: one JSON object a line. Nothing that a client sent is logged but its method, route, address and request
 * id.
 *
 * @param output where the lines go: standard output where none is given
 */
export function createLogger(level: LogLevel, output: DestinationStream = new LogOutput()): Logger {
  const redact = { paths: SECRETS.flatMap((name) => [name, `details[*].${name}`]), remove: true };
  return pino({ level, base: null, timestamp: stdTimeFunctions.isoTime, redact }, output);
}

/** Contexts of NestJS's own messages at every start, which are of interest only when debugging. */
const ROUTINE: ReadonlySet<string> = new Set([
  'InstanceLoader',
  'NestApplication',
  'NestFactory',
  'RouterExplorer',
  'RoutesResolver',
  'WebSocketsController',
]);

/** Writes what NestJS and modules log by its `Logger` as lines of the service's log. */
export class NestLog implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...rest: unknown[]): void {
    const line = lineOf(rest);
    this.logger[ROUTINE.has(line.context ?? '') ? 'debug' : 'info'](line, textOf(message));
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.logger.debug(lineOf(rest), textOf(message));
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.logger.trace(lineOf(rest), textOf(message));
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.logger.warn(lineOf(rest), textOf(message));
  }

  error(message: unknown, ...rest: unknown[]): void {
    const { context, details: [cause] = [] } = lineOf(rest);
    // TypeORM tries again to connect; where the database stays away the start says why.
    const isRetry = context === 'TypeOrmModule';
    const stack = isRetry ? undefined : stackOf(cause ?? (message instanceof Error ? message : undefined));
    this.logger.error({ context, stack }, textOf(message));
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.logger.fatal(lineOf(rest), textOf(message));
  }
}

interface Line {
  readonly context: string | undefined;
  readonly details?: readonly unknown[];
}

/** @param rest what follows the message in a call of NestJS's `Logger`, which puts its context last */
function lineOf(rest: readonly unknown[]): Line {
  const last = rest.at(-1);
  const context = typeof last === 'string' ? last : undefined;
  const details = (context === undefined ? rest : rest.slice(0, -1)).filter((value) => value !== undefined);
  return details.length === 0 ? { context } : { context, details };
}

function textOf(message: unknown): string {
  if (message instanceof Error) return message.message;
  return typeof message === 'string' ? message : JSON.stringify(message);
}

const stackOf = (cause: unknown): string | undefined =>
  cause instanceof Error ? cause.stack : typeof cause === 'string' ? cause : undefined;
