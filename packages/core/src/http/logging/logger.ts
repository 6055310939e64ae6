import cluster from 'node:cluster';

import { ConsoleLogger, LogLevel as NestLevel } from '@nestjs/common';
import { DestinationStream, Level, Logger, pino, stdTimeFunctions } from 'pino';

import { LogLevel } from '../../config/config.js';
import { LogOutput } from './log-output.js';

/** Fields that are never written, even if a module logs an object that has them. */
const SECRETS = ['password', 'currentPassword', 'authorization', 'cookie', 'token', 'secret', 'key'];

/**
 * Creates the logger of the service, which writes one JSON object per line to standard output. A line contains no text
 * of the client except the method and the request id. The lines of a worker have its `pid`.
 */
export function createLogger(level: LogLevel, output: DestinationStream = new LogOutput()): Logger {
  const redact = { paths: SECRETS.flatMap((name) => [name, `details[*].${name}`]), remove: true };
  const base = cluster.isWorker ? { pid: process.pid } : null;
  return pino({ level, base, timestamp: stdTimeFunctions.isoTime, redact }, output);
}

/** The contexts of the messages that NestJS logs at every start. These messages only matter when debugging. */
const ROUTINE: ReadonlySet<string> = new Set([
  'InstanceLoader',
  'NestApplication',
  'NestFactory',
  'RouterExplorer',
  'RoutesResolver',
  'WebSocketsController',
]);

const LEVELS: Readonly<Partial<Record<NestLevel, Level>>> = { log: 'info', verbose: 'trace' };

/** Writes the messages of NestJS's `Logger` to the log of the service. */
export class NestLog extends ConsoleLogger {
  constructor(private readonly logger: Logger) {
    super();
  }

  protected override printMessages(
    [message, ...rest]: unknown[],
    context?: string,
    nestLevel: NestLevel = 'log',
    ...[, trace, params]: [stream?: string, trace?: unknown, params?: object]
  ): void {
    const isRoutine = nestLevel === 'log' && ROUTINE.has(context ?? '');
    const level = isRoutine ? 'debug' : (LEVELS[nestLevel] ?? (nestLevel as Level));
    const given = params ? [...rest, params] : rest;
    const error = [trace, ...given, message].find((value) => value instanceof Error);
    // TypeORM logs each failed connection, and retries. If all retries fail, the error that ends the start says why.
    const stack = context === 'TypeOrmModule' ? undefined : (error?.stack ?? trace);
    const details = given.filter((value) => value !== undefined && value !== error);
    const text = message instanceof Error ? message.message : message;
    this.logger[level](
      { context, stack, ...(details.length > 0 && { details }) },
      typeof text === 'string' ? text : JSON.stringify(text),
    );
  }

  /** Does nothing, because the JSON line contains the stack trace. */
  protected override printStackTrace(): void {}
}
