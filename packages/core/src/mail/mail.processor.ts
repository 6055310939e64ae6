import { Injectable, Logger } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';

import { Config } from '../config/config.js';
import { MAIL_QUEUE } from '../database/migrations/1763600000100-mail-queue.js';
import { Processor } from '../jobs/processor.decorator.js';
import { Job, WorkerHost } from '../jobs/worker-host.js';
import { MailTransport } from './mail-transport.js';
import { Mails, QueuedMail } from './mails.js';

/**
 * Matches tokens, parts of tokens, and control characters. The error of an SMTP server may quote a mail with a token,
 * and no token may get into the log or the queue.
 */
const UNSAFE_TEXT = /[\w-]{22,}|\p{C}/gu;

/**
 * Sends the mails of the queue. Several at the same time, because sending a mail is mostly waiting for the SMTP server.
 */
@Injectable()
@Processor(MAIL_QUEUE, { concurrency: 5, timeout: 45_000 })
export class MailProcessor extends WorkerHost {
  override readonly isEnabled: boolean;
  private readonly logger = new Logger('Mails');
  private readonly transport: MailTransport;

  constructor(
    private readonly mails: Mails,
    config: ConfigService<Config, true>,
  ) {
    super();
    const mail = config.get('mail', { infer: true });
    this.isEnabled = mail.delivery === 'on';
    this.transport = new MailTransport(mail, config.get('dataDir', { infer: true }));
  }

  async process({ id, data }: Job<QueuedMail>, signal: AbortSignal): Promise<void> {
    try {
      const mail = await this.mails.compose(data);
      if (mail) await this.transport.send(mail, id, signal);
    } catch (error) {
      throw new Error((error as Error).message.slice(0, 300).replace(UNSAFE_TEXT, '…'));
    }
  }

  override onFailed({ id, attemptsMade, opts }: Job, { message }: Error): void {
    if (attemptsMade + 1 < opts.attempts)
      this.logger.warn(`Mail ${id} was not sent and will be retried: ${message}`);
    else this.logger.error(`Mail ${id} was not sent, and its attempts are used up: ${message}`);
  }
}
