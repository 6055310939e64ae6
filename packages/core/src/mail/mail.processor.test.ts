import 'reflect-metadata';

import { Logger } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';

import { Config } from '../config/config.js';
import { Job } from '../jobs/worker-host.js';
import { MailProcessor } from './mail.processor.js';
import { Mails } from './mails.js';

describe('the report of a mail that was not sent', () => {
  const values: Record<string, unknown> = { mail: { delivery: 'on' }, dataDir: '.data' };
  const config = { get: (name: string) => values[name] } as unknown as ConfigService<Config, true>;
  const processor = new MailProcessor({} as Mails, config);
  const failed = (attemptsMade: number): void => {
    const job = { id: 'x', attemptsMade, opts: { attempts: 15 } } as Job;
    processor.onFailed(job, new Error('refused'));
  };

  it('is a warning as long as attempts are left, and then an error', () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    const error = jest.spyOn(Logger.prototype, 'error').mockImplementation();
    failed(13);
    expect(warn.mock.calls).toEqual([['Mail x was not sent and will be retried: refused']]);
    expect(error).not.toHaveBeenCalled();
    failed(14);
    expect(error.mock.calls).toEqual([['Mail x was not sent, and its attempts are used up: refused']]);
    expect(warn).toHaveBeenCalledTimes(1);
  });
});
