import { LoggerService } from '@nestjs/common';
import { DestinationStream, Logger, pino } from 'pino';

import { LogLevel } from '../../config/config.js';
import { currentWaiter } from '../../telemetry/waits.js';
import { LogOutput } from './log-output.js';

/**
 * The logger: one JSON object a line. Nothing that a client sent is logged but its method, route, address and request
 * id.
 *
 * @param output where the lines go: standard output where none is given
 */
export function createLogger(level: LogLevel, output: DestinationStream = new LogOutput()): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${isoTime()}"`,
      mixin: traceOf,
      // pino's own way writes the fields of the line into what `mixin` gives, which lines share here.
      mixinMergeStrategy: (line, trace) => (trace === NO_TRACE ? line : { ...trace, ...line }),
    },
    output,
  );
}

/** The trace that a line belongs to, where requests are traced. */
function traceOf(): object {
  const span = currentWaiter()?.span;
  return span ? { traceId: span.traceId, spanId: span.spanId } : NO_TRACE;
}

const NO_TRACE = {};

let isoTimeMs = -1;
let lastIsoTime = '';

/** The current time in ISO 8601, formatted once a millisecond. */
function isoTime(): string {
  const now = Date.now();
  if (now !== isoTimeMs) {
    isoTimeMs = now;
    lastIsoTime = new Date(now).toISOString();
  }
  return lastIsoTime;
}

/**
 * Writes a line of the level info from fields that are JSON already. `logger.info()` takes five times as long, which
 * matters for a line of each request. The caller checks that the level is enabled.
 *
 * @param fields members of a JSON object, without its braces
 */
export function writeInfo(logger: Logger, fields: string): void {
  const span = currentWaiter()?.span;
  const trace = span ? `"traceId":"${span.traceId}","spanId":"${span.spanId}",` : '';
  const internals = logger as Logger & Internals;
  const start = `{"level":30${internals[pino.symbols.timeSym]()}${internals[pino.symbols.chindingsSym]}`;
  internals[pino.symbols.streamSym].write(`${start},${trace}${fields}}\n`);
}

/** Members of pino's logger that its types leave out. */
interface Internals {
  readonly [pino.symbols.streamSym]: DestinationStream;
  /** The time as a member of the line, with a comma before it. */
  readonly [pino.symbols.timeSym]: () => string;
  /** The fields of a child logger as members, with a comma before each. */
  readonly [pino.symbols.chindingsSym]: string;
}

/** Who says in Nest, at every start, what is of interest only when debugging. */
const ROUTINE: ReadonlySet<string> = new Set([
  'InstanceLoader',
  'NestApplication',
  'NestFactory',
  'RouterExplorer',
  'RoutesResolver',
  'WebSocketsController',
]);

/** Writes what Nest and modules log by Nest's `Logger` as lines of the service's log. */
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
    // A database that is not there yet is tried again; where it stays away the start says why.
    const isRetry = context === 'TypeOrmModule';
    this.logger.error(
      {
        context,
        stack: isRetry ? undefined : stackOf(cause ?? (message instanceof Error ? message : undefined)),
      },
      textOf(message),
    );
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.logger.fatal(lineOf(rest), textOf(message));
  }
}

interface Line {
  readonly context: string | undefined;
  readonly details?: readonly unknown[];
}

/** @param rest what follows the message in a call of Nest's `Logger`, which puts its context last */
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
