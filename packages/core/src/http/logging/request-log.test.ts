import { ServerResponse } from 'node:http';

import { FastifyRequest } from 'fastify';

import { ApiError } from '../errors/api-error.js';
import { defineErrors } from '../errors/define-errors.js';
import { createLogger } from './logger.js';
import { RequestLog } from './request-log.js';

const { BROKEN_FOR_THIS_TEST: BROKEN } = defineErrors({ BROKEN_FOR_THIS_TEST: [500, 'Broken.'] });

describe('the log line of a request', () => {
  const lines: string[] = [];
  const logger = createLogger('info', { write: (line) => lines.push(line) });
  const log = new RequestLog(logger);
  const parsed = (): unknown => JSON.parse(lines.at(-1) ?? '');
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as unknown;

  it.each(['GET', null, 'A"\n\\'])('is one line of JSON, whatever the method is: %j', (method) => {
    log.logRejected(400, 'r1', '192.0.2.7', method);
    const line = { method, route: null, status: 400, ms: 0, requestId: 'r1', caller: null, scheme: null };
    expect(parsed()).toEqual({ level: 30, time, ...line, address: '192.0.2.7' });
    expect(lines.at(-1)).toMatch(/^[^\n]*\n$/);
  });

  it.each([
    ['/health/live', 'debug', 1],
    ['/health/ready', 'info', 0],
    ['/api/v1/products', 'info', 1],
    [undefined, 'info', 1],
  ])('of the route %s at the level %s: %i lines', (route, level, count) => {
    const written: string[] = [];
    const own = new RequestLog(createLogger(level as 'info', { write: (line) => written.push(line) }));
    const request = { method: 'GET', id: 'r2', ...(route !== undefined && { policy: { route } }) };
    const timing = { reply: { request }, startedAt: 0 };
    own.logCompleted({ timing, headersSent: true, statusCode: 503 } as unknown as ServerResponse);
    expect(written).toHaveLength(count);
  });

  it('is left out below the level info', () => {
    const { length } = lines;
    logger.level = 'warn';
    log.logRejected(400, 'r1', '192.0.2.7');
    expect(lines).toHaveLength(length);
  });
});

describe('the log line of a failure', () => {
  const logged = (cause: Error): { message: string; stack: string } => {
    const lines: string[] = [];
    const log = new RequestLog(createLogger('info', { write: (line) => lines.push(line) }));
    log.logFailure({ id: 'r1' } as FastifyRequest, new ApiError(BROKEN, undefined, { cause }));
    return (JSON.parse(lines[0] ?? '') as { error: { message: string; stack: string } }).error;
  };

  it.each([
    ['22P02', 'invalid input syntax for type integer: "s3cret"'],
    ['23514', 'new row violates "s3cret"'],
  ])('hides the value that PostgreSQL quotes (%s)', (code, message) => {
    for (const error of [{ code }, { driverError: { code } }]) {
      const line = logged(Object.assign(new Error(message), error));
      expect(JSON.stringify(line)).not.toContain('s3cret');
      expect(line.message).toBe(message.replace('s3cret', '…'));
      expect(line.stack).toContain('request-log.test');
    }
  });

  it('keeps the name of a table that PostgreSQL does not find', () => {
    const error = Object.assign(new Error('relation "goods" does not exist'), { code: '42P01' });
    expect(logged(error).message).toBe(error.message);
  });
});
