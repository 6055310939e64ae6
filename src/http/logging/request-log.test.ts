import { FastifyRequest } from 'fastify';

import { ApiError } from '../errors/api-error.js';
import { defineError } from '../errors/catalogue.js';
import { createLogger } from './logger.js';
import { RequestLog } from './request-log.js';

const BROKEN = defineError(500, 'BROKEN_FOR_THIS_TEST', 'Broken.');

describe('a failure in the log', () => {
  const logged = (cause: Error): { message: string; stack: string } => {
    const lines: string[] = [];
    const log = new RequestLog(createLogger('info', { write: (line) => lines.push(line) }));
    log.failure({ id: 'r1' } as FastifyRequest, new ApiError(BROKEN, undefined, { cause }));
    return (JSON.parse(lines[0] ?? '') as { error: { message: string; stack: string } }).error;
  };

  it.each([
    ['22P02', 'invalid input syntax for type integer: "s3cret"'],
    ['23514', 'new row violates "s3cret"'],
  ])('has no value that PostgreSQL quotes (%s)', (code, message) => {
    for (const error of [{ code }, { driverError: { code } }]) {
      const line = logged(Object.assign(new Error(message), error));
      expect(JSON.stringify(line)).not.toContain('s3cret');
      expect(line.message).toBe(message.replace('s3cret', '…'));
      expect(line.stack).toContain('request-log.test');
    }
  });

  it('names what PostgreSQL does not find', () => {
    const error = Object.assign(new Error('relation "goods" does not exist'), { code: '42P01' });
    expect(logged(error).message).toBe(error.message);
  });
});
