import { Injectable } from '@nestjs/common';

import { SqlExecutor } from '../database/sql-executor.js';
import { isObject } from '../fields/dto-schema.js';
import { describeValue } from '../fields/field.js';
import { JobOptions, toSendOptions } from './job-options.js';
import { JobQueues } from './job-queues.js';
import { JobWorkers } from './job-workers.js';
import { toPgBossDb } from './pg-boss.js';

/**
 * Adds jobs to queues in the database. If a handler did the work itself, the work would be lost if the process were
 * killed, or would report a change that was rolled back. `add()` stores the job in the transaction of the change, and
 * the class with `@Processor()` runs it after the commit, in this process or in another. See
 * `@plinth/core/docs/jobs.md`.
 *
 * Do not use it for a mail: use `Mails`.
 * @example
 * async create(values: Partial<Export>, tx: SqlExecutor): Promise<Export> {
 *   const created = await super.create(values, tx);
 *   await this.jobs.add(tx, 'exports', { exportId: created.id });
 *   return created;
 * }
 */
@Injectable()
export class Jobs {
  constructor(
    private readonly queues: JobQueues,
    private readonly workers: JobWorkers,
  ) {}

  /**
   * Stores a job, which runs after the transaction has committed.
   * @param data an object, which is stored as JSON. Put ids into it, and not rows, which may change before the job runs
   * @returns the id of the job, or `null` if `jobId` or `deduplication` prevented that the job was added
   * @throws Error if no class processes the queue, if an option is not allowed, or if the queue does not exist yet
   * because its migration is missing
   * @example await this.jobs.add(tx, 'exports', { exportId }, { delay: 60_000, attempts: 3, jobId: `export ${exportId}` });
   */
  async add(tx: SqlExecutor, queue: string, data: object, options: JobOptions = {}): Promise<string | null> {
    if (!isObject(data)) throw new Error(`data must be an object (got ${describeValue(data)})`);
    const send = toSendOptions(this.queues.get(queue), options);
    const id = await this.workers.boss.send(queue, data, { ...send, db: toPgBossDb(tx) });
    if (id === null) await assertQueue(tx, queue);
    tx.afterCommit(() => {
      this.workers.endPause(queue);
    });
    return id;
  }
}

/** @throws Error if the queue does not exist, so that a job was not added for this reason */
async function assertQueue(tx: SqlExecutor, queue: string): Promise<void> {
  const found = await tx.query({ text: 'select from pgboss.queue where name = $1', values: [queue] });
  if (found.length === 0) throw new Error(`the migration of the queue '${queue}' is missing`);
}
