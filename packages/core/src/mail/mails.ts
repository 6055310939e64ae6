import { setTimeout as sleep } from 'node:timers/promises';

import { Injectable, Logger, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import PgBoss from 'pg-boss';

import { Config } from '../config/config.js';
import { SqlExecutor } from '../database/sql-executor.js';
import { databaseErrorCode } from '../database/database-error.js';
import { Database } from '../database/database.js';
import { removeRegularly } from '../database/remove-in-batches.js';
import { routePolicy } from '../routes/route-policy.js';
import { Mail, MailTransport } from './mail-transport.js';

/** Made by a migration. */
const QUEUE = 'mails';
/** Mails of other instances, and those whose pause is over, are found this often; the own ones at once. */
const QUEUE_POLL_MS = 5_000;
const SENDERS = 5;
/** Another instance takes up the mail of one that has died after this time, and half a minute to see it. */
const EXPIRE_S = 60;
const MAINTAIN_MS = 15_000;
/** Before it expires: it would be sent twice. */
const SEND_TIMEOUT_MS = 45_000;
/** How long the end of the process waits for what is being sent. */
const STOP_TIMEOUT_MS = 1_000;
/** Pauses double, from 5 to 10 seconds on, for about a day. A mail that was sent is forgotten after an hour. */
const RETRIES = { retryLimit: 14, retryDelay: 5, retryBackoff: true, expireInSeconds: EXPIRE_S };
const RETENTION = {
  archiveCompletedAfterSeconds: 3_600,
  archiveFailedAfterSeconds: 604_800,
  deleteAfterSeconds: 1,
};

/** Parts of tokens, cut or broken ones too, and what jsonb refuses. A server's answer may quote a mail and hold anything. */
const UNSAFE_TEXT = /[\w-]{22,}|\p{C}/gu;

type Job = { readonly mail: Mail } | { readonly composer: string; readonly subject: string };

/**
 * Sends mails by a queue in the database: one is stored in the transaction of what causes it, and sent after the commit;
 * by another instance where this one is killed. See `@plinth/core/docs/mail.md`.
 * @example await this.mails.send({ to: user.email, subject: 'Your order', ...letter({ paragraphs }) }, tx);
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
  /** Ends what is being sent. */
  private readonly sendAbort = new AbortController();
  /** Ends the pauses before the next look into the queue. */
  private wake = new AbortController();

  constructor(database: Database, config: ConfigService<Config, true>) {
    const mail = config.get('mail', { infer: true });
    this.isEnabled = mail.delivery === 'on';
    this.transport = new MailTransport(mail, config.get('dataDir', { infer: true }));
    // Not started: that would ask for its own connections, and for its tables before migrations have run.
    this.boss = new PgBoss({ db: toPgBossDb(database), ...RETENTION });
  }

  /**
   * Stores a mail, to be sent once the transaction has committed. With `MAIL=off` it does nothing.
   * @param key of the mails of one key, one is sent in a minute, and no other
   */
  send(mail: Mail, tx: SqlExecutor, key?: string): Promise<void> {
    return this.enqueue({ mail }, tx, key);
  }

  /** As `send()`, for a mail with a secret, which is stored nowhere: the mail is made when it is sent. */
  sendComposed(composer: string, subject: string, tx: SqlExecutor, key?: string): Promise<void> {
    return this.enqueue({ composer, subject }, tx, key);
  }

  /** @param compose gives `null` where there is no reason any more to send the mail */
  setComposer(name: string, compose: (subject: string) => Promise<Mail | null>): void {
    this.composers.set(name, compose);
  }

  onApplicationBootstrap(): void {
    if (!this.isEnabled) return;
    this.maintenance = removeRegularly(() => this.boss.maintain(), MAINTAIN_MS);
    this.running = Promise.all(Array.from({ length: SENDERS }, () => this.run()));
  }

  /** What is still being sent after a second is tried again, by another instance. */
  async onModuleDestroy(): Promise<void> {
    this.isStopping = true;
    this.endPauses();
    clearInterval(this.maintenance);
    await Promise.race([this.running, sleep(STOP_TIMEOUT_MS, undefined, { ref: false })]);
    this.sendAbort.abort(new Error('the process ends'));
    await this.running;
  }

  private async enqueue(job: Job, tx: SqlExecutor, key?: string): Promise<void> {
    if (!this.isEnabled) return;
    const once = key === undefined ? {} : { singletonKey: key, singletonSeconds: 60 };
    await this.boss.send(QUEUE, job, { ...RETRIES, ...once, db: toPgBossDb(tx) });
    tx.afterCommit(() => this.endPauses());
  }

  /** One of the senders: several may each wait for a server. */
  private async run(): Promise<void> {
    while (!this.isStopping) {
      // Taken before the look into the queue, so that a mail that is stored meanwhile ends the pause.
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
      this.logger.warn(`Mail ${id} was not sent, and is tried again: ${message}`);
      settle = () => this.boss.fail(QUEUE, id, { message });
    }
    // Again while the database is away, not where it refuses a value: a mail whose end is not stored is sent again.
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
    if (mail === undefined) throw new Error('another release stored it');
    if (mail === null) return;
    const signal = AbortSignal.any([this.sendAbort.signal, AbortSignal.timeout(SEND_TIMEOUT_MS)]);
    await this.transport.send(mail, id, signal);
  }
}

/** A controller whose routes do not exist with `MAIL=off`. @example @NeedsMail() */
export const NeedsMail = (): ClassDecorator => routePolicy({ needsMail: true });

const toPgBossDb = (executor: Pick<SqlExecutor, 'query'>): PgBoss.Db => ({
  executeSql: async (text, values: unknown[]) => ({ rows: await executor.query({ text, values }) }),
});
