import { ConsoleLogger, LogLevel as NestLevel } from '@nestjs/common';
import { DestinationStream, Level, Logger, pino, stdTimeFunctions } from 'pino';

import { LogLevel } from '../../config/config.js';
import { LogOutput } from './log-output.js';

/** Fields that are never written, should a module log an object that has them. */
const SECRETS = ['password', 'currentPassword', 'authorization', 'cookie', 'token', 'secret', 'key'];

/** The logger: one JSON object a line, on standard output. Of what a client sent it has the method and the request id. */
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

const LEVELS: Readonly<Partial<Record<NestLevel, Level>>> = { log: 'info', verbose: 'trace' };

/** Writes what NestJS and modules log by its `Logger` as lines of the service's log. */
export class NestLog extends ConsoleLogger {
  constructor(private readonly logger: Logger) {
    super();
  }

  protected override printMessages(
    [message, ...rest]: unknown[],
    context?: string,
    nestLevel: NestLevel = 'log',
    _stream?: string,
    trace?: unknown,
    params?: object,
  ): void {
    const isRoutine = nestLevel === 'log' && ROUTINE.has(context ?? '');
    const level = isRoutine ? 'debug' : (LEVELS[nestLevel] ?? (nestLevel as Level));
    const given = params ? [...rest, params] : rest;
    const error = [trace, ...given, message].find((value) => value instanceof Error);
    // TypeORM tries again to connect; where the database stays away the start says why.
    const stack = context === 'TypeOrmModule' ? undefined : (error?.stack ?? trace);
    const details = given.filter((value) => value !== undefined && value !== error);
    const text = message instanceof Error ? message.message : message;
    this.logger[level](
      { context, stack, ...(details.length > 0 && { details }) },
      typeof text === 'string' ? text : JSON.stringify(text),
    );
  }

  /** The line of JSON has the stack trace. */
  protected override printStackTrace(): void {}
}
