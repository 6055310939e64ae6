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

/** The name of the queue, which a migration creates. */
const QUEUE = 'mails';
/**
 * The interval at which an instance looks for mails that other instances stored, and for mails to retry. It sends a
 * mail that it stored itself at once.
 */
const QUEUE_POLL_MS = 5_000;
/** The number of mails that an instance can send at the same time. */
const SENDERS = 5;
/**
 * If an instance dies while it sends a mail, another instance sends the mail after this time. Maintenance may detect
 * this up to half a minute later.
 */
const EXPIRE_S = 60;
const MAINTAIN_MS = 15_000;
/**
 * The time limit of one attempt. It is shorter than `EXPIRE_S`, so that no other instance sends the mail during the
 * attempt.
 */
const SEND_TIMEOUT_MS = 45_000;
/** How long the shutdown waits for mails that are being sent. */
const STOP_TIMEOUT_MS = 1_000;
/**
 * Retries for about a day. The first pause is 5 to 10 seconds, and each later pause is twice as long as the pause
 * before it.
 */
const RETRIES = { retryLimit: 14, retryDelay: 5, retryBackoff: true, expireInSeconds: EXPIRE_S };
/** A sent mail stays in the table for an hour, a mail that finally failed for a week. */
const RETENTION = {
  archiveCompletedAfterSeconds: 3_600,
  archiveFailedAfterSeconds: 604_800,
  deleteAfterSeconds: 1,
};

/**
 * Matches tokens, parts of tokens, and characters that `jsonb` rejects. The error of an SMTP server may quote a mail
 * with a token, and no token may get into the log.
 */
const UNSAFE_TEXT = /[\w-]{22,}|\p{C}/gu;

/** A mail in the queue: either its content, or the name of the composer that creates the content. */
type Job = { readonly mail: Mail } | { readonly composer: string; readonly subject: string };

/**
 * Sends mails through a queue in the database. If a handler sent a mail itself, two things could go wrong. If the SMTP
 * server was down, the mail would be lost. If the transaction was rolled back, the mail would report a change that
 * never happened.
 *
 * Instead, `send()` stores the mail in the transaction of the change, and a background task sends the mail after the
 * commit. If this instance dies, another instance sends the mail. A mail may arrive twice. See
 * `@plinth/core/docs/mail.md`.
 *
 * Do not use `send()` for a mail with a secret, because the queue stores its text: use `sendComposed()`.
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
  /** Ends the pauses of senders, so that they poll the queue at once. */
  private wake = new AbortController();

  constructor(database: Database, config: ConfigService<Config, true>) {
    const mail = config.get('mail', { infer: true });
    this.isEnabled = mail.delivery === 'on';
    this.transport = new MailTransport(mail, config.get('dataDir', { infer: true }));
    // Do not call `boss.start()`: it would open additional connections, and fail if migrations have not yet created its
    // tables.
    this.boss = new PgBoss({ db: toPgBossDb(database), ...RETENTION });
  }

  /**
   * Stores a mail, which is sent after the transaction has committed. Does nothing if `MAIL=off`.
   * @param key limits how often similar mails are sent. If several mails in a minute have the same key, only the first
   * is sent
   */
  send(mail: Mail, tx: SqlExecutor, key?: string): Promise<void> {
    return this.enqueue({ mail }, tx, key);
  }

  /**
   * Sends a mail that contains a secret. Unlike `send()`, it does not store the content of the mail in the queue.
   * Instead, a composer creates the content at the moment when the mail is sent.
   * @param composer a name that was passed to `setComposer()`
   * @param subject the value that is passed to the composer, such as the id of a user
   */
  sendComposed(composer: string, subject: string, tx: SqlExecutor, key?: string): Promise<void> {
    return this.enqueue({ composer, subject }, tx, key);
  }

  /**
   * Registers a composer for `sendComposed()`. Call it in the constructor of a provider.
   * @param compose returns the mail, or `null` if the mail is no longer needed
   */
  setComposer(name: string, compose: (subject: string) => Promise<Mail | null>): void {
    this.composers.set(name, compose);
  }

  onApplicationBootstrap(): void {
    if (!this.isEnabled) return;
    this.maintenance = removeRegularly(() => this.boss.maintain(), MAINTAIN_MS);
    this.running = Promise.all(Array.from({ length: SENDERS }, () => this.run()));
  }

  /**
   * Waits at most a second for mails that are being sent, and then cancels them. Another instance sends the cancelled
   * mails again.
   */
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

  /**
   * Runs the loop of one sender. There are several senders, because each spends most of its time waiting for the SMTP
   * server.
   */
  private async run(): Promise<void> {
    while (!this.isStopping) {
      // Read the signal before the queue. If a mail is stored between these two reads, the signal then ends the pause
      // at once.
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
    // Store the outcome, and retry for a minute if the database is unavailable: a mail without a stored outcome would
    // be sent again. Give up if the database rejects a value (SQLSTATE class 22).
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
      throw new Error(
        'its composer is not registered: another release of the service may have stored the mail',
      );
    if (mail === null) return;
    const signal = AbortSignal.any([this.sendAbort.signal, AbortSignal.timeout(SEND_TIMEOUT_MS)]);
    await this.transport.send(mail, id, signal);
  }
}

const toPgBossDb = (executor: Pick<SqlExecutor, 'query'>): PgBoss.Db => ({
  executeSql: async (text, values: unknown[]) => ({ rows: await executor.query({ text, values }) }),
});
