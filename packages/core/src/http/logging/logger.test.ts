import { Logger } from '@nestjs/common';

import { createLogger, NestLog } from './logger.js';

describe("Nest's Logger in a module", () => {
  const lines: Record<string, unknown>[] = [];
  const write = (text: string): number => lines.push(JSON.parse(text) as Record<string, unknown>);

  beforeEach(() => {
    lines.length = 0;
    Logger.overrideLogger(new NestLog(createLogger('info', { write })));
  });
  afterAll(() => Logger.overrideLogger(false));

  it('writes what a module logs, at the level info', () => {
    new Logger('DepotsService').log('the depot is announced');
    expect(lines).toMatchObject([{ level: 30, context: 'DepotsService', msg: 'the depot is announced' }]);
  });

  it('leaves out the routine messages of Nest, and messages of the levels debug and verbose', () => {
    new Logger('InstanceLoader').log('DepotsModule dependencies initialized');
    new Logger('DepotsService').debug('one more');
    new Logger('DepotsService').verbose('and another');
    expect(lines).toEqual([]);
  });

  it('keeps the values that follow a message, and messages that are objects', () => {
    new Logger('DepotsService').warn('few left', { pieces: 3 });
    new Logger('DepotsService').log({ depot: 7 });
    expect(lines).toMatchObject([
      { level: 40, context: 'DepotsService', details: [{ pieces: 3 }], msg: 'few left' },
      { level: 30, context: 'DepotsService', msg: '{"depot":7}' },
    ]);
  });

  it('leaves secrets out of the values that follow a message', () => {
    new Logger('Mails').warn('refused', { user: 7, password: 'correct horse', token: 'a.b.c' });
    expect(lines).toMatchObject([{ details: [{ user: 7 }], msg: 'refused' }]);
    expect(JSON.stringify(lines)).not.toMatch(/correct horse|a\.b\.c/);
  });

  it('has the stack of an error, in whichever way the error is passed', () => {
    const error = new Error('no stamps');
    const logger = new Logger('Mails');
    logger.error(error);
    logger.error('not sent', error);
    logger.error('not sent', error.stack);
    const line = { level: 50, context: 'Mails', stack: error.stack };
    expect(lines).toMatchObject([
      { ...line, msg: 'no stamps' },
      { ...line, msg: 'not sent' },
      { ...line, msg: 'not sent' },
    ]);
  });

  it('has no stack if no error is passed', () => {
    new Logger('Mails').error('not sent');
    expect(lines[0]).not.toHaveProperty('stack');
  });
});
