import { Inject, Injectable, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';

import { Config } from '../config/config.js';
import { Database } from '../database/database.js';
import { MAIL_QUEUE } from '../database/migrations/1763600000100-mail-queue.js';
import { SqlExecutor } from '../database/sql-executor.js';
import { Jobs } from '../jobs/jobs.js';
import { Mail } from './mail-transport.js';

/**
 * Retries for about a day. The first pause is 5 to 10 seconds, and each later pause is twice as long as the pause
 * before it.
 */
const RETRIES = { attempts: 15, backoff: { type: 'exponential', delay: 5_000 } } as const;
const KEY_TTL_MS = 60_000;

/** A mail in the queue: either its content, or the name of the composer that creates the content. */
export type QueuedMail = { readonly mail: Mail } | { readonly composer: string; readonly subject: string };

/**
 * Sends mails through a queue in the database. If a handler sent a mail itself, two things could go wrong. If the SMTP
 * server was down, the mail would be lost. If the transaction was rolled back, the mail would report a change that
 * never happened.
 *
 * Instead, `send()` adds a job in the transaction of the change, and `MailProcessor` sends the mail after the commit. If
 * this instance dies, another instance sends the mail. A mail may arrive twice. See `@plinth/core/docs/mail.md`.
 *
 * Do not use `send()` for a mail with a secret, because the queue stores its text: use `sendComposed()`.
 * @example await this.mails.send({ to: user.email, subject: 'Your order', ...renderMail({ paragraphs }) }, tx);
 */
@Injectable()
export class Mails implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly isEnabled: boolean;
  private readonly composers = new Map<string, (of: string) => Promise<Mail | null>>();
  @Inject(Jobs)
  private readonly jobs: Jobs;

  constructor(database: Database, config: ConfigService<Config, true>) {
    // Subclasses pass the database, which mails used before they were jobs.
    void database;
    this.isEnabled = config.get('mail', { infer: true }).delivery === 'on';
  }

  /**
   * Stores a mail, which is sent after the transaction has committed. Does nothing if `MAIL=off`.
   * @param key limits how often similar mails are sent. If several mails in a minute have the same key, only the first
   * is sent
   */
  send(mail: Mail, tx: SqlExecutor, key?: string): Promise<void> {
    return this.add({ mail }, tx, key);
  }

  /**
   * Sends a mail that contains a secret. Unlike `send()`, it does not store the content of the mail in the queue.
   * Instead, a composer creates the content at the moment when the mail is sent.
   * @param composer a name that was passed to `setComposer()`
   * @param subject the value that is passed to the composer, such as the id of a user
   */
  sendComposed(composer: string, subject: string, tx: SqlExecutor, key?: string): Promise<void> {
    return this.add({ composer, subject }, tx, key);
  }

  /**
   * Registers a composer for `sendComposed()`. Call it in the constructor of a provider.
   * @param compose returns the mail, or `null` if the mail is no longer needed
   */
  setComposer(name: string, compose: (subject: string) => Promise<Mail | null>): void {
    this.composers.set(name, compose);
  }

  /**
   * Returns a mail of the queue, or `null` if it is no longer needed.
   * @throws Error if the composer of the mail is not registered
   */
  async compose(queued: QueuedMail): Promise<Mail | null> {
    if ('mail' in queued) return queued.mail;
    const compose = this.composers.get(queued.composer);
    if (!compose)
      throw new Error(
        'its composer is not registered: another release of the service may have stored the mail',
      );
    return compose(queued.subject);
  }

  /** Does nothing. The processor of the queue sends the mails. */
  onApplicationBootstrap(): void {}

  /** Does nothing. The processor of the queue stops sending. */
  async onModuleDestroy(): Promise<void> {}

  private async add(mail: QueuedMail, tx: SqlExecutor, key?: string): Promise<void> {
    if (!this.isEnabled) return;
    const deduplication = key === undefined ? undefined : { id: key, ttl: KEY_TTL_MS };
    await this.jobs.add(tx, MAIL_QUEUE, mail, { ...RETRIES, deduplication });
  }
}
