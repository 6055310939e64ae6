import { setTimeout as sleep } from 'node:timers/promises';

import { Injectable, Logger, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import PgBoss from 'pg-boss';

import { Config } from '../config/config.js';
import { SqlExecutor } from '../database/sql-executor.js';
import { databaseErrorCode } from '../database/database-error.js';
import { Database } from '../database/database.js';
import { removeRegularly } from '../database/remove-in-batches.js';
import { Mail, MailTransport } from './mail-transport.js';

/** A migration creates the queue. */
const QUEUE = 'mails';
/** How often an instance looks for mails of other instances, and for mails to retry. Its own new mails are sent at once. */
const QUEUE_POLL_MS = 5_000;
const SENDERS = 5;
/** After this time another instance takes over the mail of one that died. Noticing it takes another half a minute. */
const EXPIRE_S = 60;
const MAINTAIN_MS = 15_000;
/** Shorter than the time after which another instance would send the mail again. */
const SEND_TIMEOUT_MS = 45_000;
/** How long the shutdown waits for mails that are being sent. */
const STOP_TIMEOUT_MS = 1_000;
/** Retries for about a day. The first pause is 5 to 10 seconds, and each later one is twice as long. */
const RETRIES = { retryLimit: 14, retryDelay: 5, retryBackoff: true, expireInSeconds: EXPIRE_S };
/** A mail that was sent stays in the table for an hour, a failed one for a week. */
const RETENTION = {
  archiveCompletedAfterSeconds: 3_600,
  archiveFailedAfterSeconds: 604_800,
  deleteAfterSeconds: 1,
};

/** Matches whole or partial tokens, and characters that `jsonb` rejects. An SMTP server may quote a mail in its response. */
const UNSAFE_TEXT = /[\w-]{22,}|\p{C}/gu;

type Job = { readonly mail: Mail } | { readonly composer: string; readonly subject: string };

/**
 * Sends mails through a queue in the database. `send()` stores a mail in the transaction of the change that causes it, so a
 * change that is rolled back sends nothing. The mail goes out after the commit, from another instance if this one dies. It
 * may arrive twice. See `@plinth/core/docs/mail.md`.
 * @example await this.mails.send({ to: user.email, subject: 'Your order', ...renderMail({ paragraphs }) }, tx);
 */
@Injectable()
export class Mails implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Mails');
  private readonly isEnabled: boolean;
  private readonly transport: MailTransport;
  private readonly composers = new Map<string, (of: string) => Promise<Mail | null>>();
  private readonly boss: PgBoss;
  private maintenance: NodeJS.Timeout | undefined;
  private running: Promise<unknown> | undefined;
  private isStopping = false;
  /** Cancels mails that are being sent. */
  private readonly sendAbort = new AbortController();
  /** Ends the pauses of senders that wait to poll the queue. */
  private wake = new AbortController();

  constructor(database: Database, config: ConfigService<Config, true>) {
    const mail = config.get('mail', { infer: true });
    this.isEnabled = mail.delivery === 'on';
    this.transport = new MailTransport(mail, config.get('dataDir', { infer: true }));
    // Do not call `start()`: it opens connections of its own, and needs its tables before migrations have run.
    this.boss = new PgBoss({ db: toPgBossDb(database), ...RETENTION });
  }

  /**
   * Stores a mail, which is sent after the transaction has committed. Does nothing if `MAIL=off`.
   * @param key limits mails: of those with the same key, only the first in each minute is sent
   */
  send(mail: Mail, tx: SqlExecutor, key?: string): Promise<void> {
    return this.enqueue({ mail }, tx, key);
  }

  /**
   * Like `send()`, for a mail that contains a secret. The queue stores no text: the composer makes the mail when it is sent.
   * @param composer a name that was given to `setComposer()`
   * @param subject passed to the composer, such as the id of a user
   */
  sendComposed(composer: string, subject: string, tx: SqlExecutor, key?: string): Promise<void> {
    return this.enqueue({ composer, subject }, tx, key);
  }

  /** Registers a composer for `sendComposed()`. @param compose returns `null` if the mail is no longer needed */
  setComposer(name: string, compose: (subject: string) => Promise<Mail | null>): void {
    this.composers.set(name, compose);
  }

  onApplicationBootstrap(): void {
    if (!this.isEnabled) return;
    this.maintenance = removeRegularly(() => this.boss.maintain(), MAINTAIN_MS);
    this.running = Promise.all(Array.from({ length: SENDERS }, () => this.run()));
  }

  /** Waits a second for mails that are being sent. Another instance retries those that it then cancels. */
  async onModuleDestroy(): Promise<void> {
    this.isStopping = true;
    this.endPauses();
    clearInterval(this.maintenance);
    await Promise.race([this.running, sleep(STOP_TIMEOUT_MS, undefined, { ref: false })]);
    this.sendAbort.abort(new Error('the process is shutting down'));
    await this.running;
  }

  private async enqueue(job: Job, tx: SqlExecutor, key?: string): Promise<void> {
    if (!this.isEnabled) return;
    const once = key === undefined ? {} : { singletonKey: key, singletonSeconds: 60 };
    await this.boss.send(QUEUE, job, { ...RETRIES, ...once, db: toPgBossDb(tx) });
    tx.afterCommit(() => this.endPauses());
  }

  /** The loop of one sender. There are several, because each waits for the SMTP server. */
  private async run(): Promise<void> {
    while (!this.isStopping) {
      // Read before polling, so that a mail that is stored meanwhile ends the pause.
      const { signal } = this.wake;
      const [job] = await this.boss.fetch<Job>(QUEUE);
      if (job) await this.deliver(job);
      else await sleep(QUEUE_POLL_MS, undefined, { ref: false, signal }).catch(() => undefined);
    }
  }

  private endPauses(): void {
    this.wake.abort();
    this.wake = new AbortController();
  }

  private async deliver({ id, data }: PgBoss.Job<Job>): Promise<void> {
    let settle = (): Promise<void> => this.boss.complete(QUEUE, id);
    try {
      await this.attempt(id, data);
    } catch (error) {
      const message = (error as Error).message.slice(0, 300).replace(UNSAFE_TEXT, '…');
      this.logger.warn(`Mail ${id} was not sent and will be retried: ${message}`);
      settle = () => this.boss.fail(QUEUE, id, { message });
    }
    // Retry while the database is unavailable, because a mail whose outcome is not stored is sent again. Stop if the
    // database rejects a value.
    for (let i = 0; i < EXPIRE_S; i++) {
      try {
        await settle();
        return;
      } catch (error) {
        if (this.isStopping || databaseErrorCode(error)?.startsWith('22')) return;
        await sleep(1_000);
      }
    }
  }

  private async attempt(id: string, job: Job): Promise<void> {
    const mail = 'mail' in job ? job.mail : await this.composers.get(job.composer)?.(job.subject);
    if (mail === undefined)
      throw new Error('no composer is registered for it; another release may have stored it');
    if (mail === null) return;
    const signal = AbortSignal.any([this.sendAbort.signal, AbortSignal.timeout(SEND_TIMEOUT_MS)]);
    await this.transport.send(mail, id, signal);
  }
}

const toPgBossDb = (executor: Pick<SqlExecutor, 'query'>): PgBoss.Db => ({
  executeSql: async (text, values: unknown[]) => ({ rows: await executor.query({ text, values }) }),
});
