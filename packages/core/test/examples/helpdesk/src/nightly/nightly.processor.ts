import { Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { Database, Job, Jobs, Mails, Processor, renderMail, SqlExecutor, WorkerHost } from '@plinth/core';

import { AttachmentsService } from '../attachments/attachments.service.js';

const ARCHIVE = `
  update tickets set is_archived = true
  where not is_archived and status = 'solved' and solved_at < now() - interval '30 days'`;

const OVERDUE = `
  select u.email, array_agg(t.subject order by t.due_on, t.id) as subjects
  from tickets t join users u on u.id = t.assignee_id
  where t.due_on < $1 and t.status <> 'solved' and not t.is_archived
  group by u.id, u.email`;

/** Every night, archives old tickets, reminds agents of overdue ones, and removes files that nothing refers to. */
@Injectable()
@Processor('nightly', { timeout: 600_000 })
export class NightlyProcessor extends WorkerHost {
  constructor(
    private readonly database: Database,
    private readonly jobs: Jobs,
    private readonly mails: Mails,
    private readonly attachments: AttachmentsService,
  ) {
    super();
  }

  /** Runs in every process. The `jobId` lets them add one job together. */
  @Cron('0 2 * * *', { timeZone: 'UTC' })
  async schedule(): Promise<void> {
    const day = new Date().toISOString().slice(0, 10);
    await this.jobs.add(this.database, 'nightly', { day }, { jobId: `nightly ${day}` });
  }

  async process({ data: { day } }: Job<{ day: string }>): Promise<void> {
    await this.database.query({ text: ARCHIVE, values: [] });
    await this.database.transaction((tx) => this.remind(day, tx));
    await this.attachments.removeUnusedFiles();
  }

  /** Sends each agent one mail, even if the job runs twice: the mails are stored together with the night, or not at all. */
  private async remind(day: string, tx: SqlExecutor): Promise<void> {
    const text = 'insert into nightly_runs (day) values ($1) on conflict do nothing returning day';
    const first = await tx.query({ text, values: [day] });
    if (first.length === 0) return;
    const overdue = await tx.query<{ email: string; subjects: string[] }>({ text: OVERDUE, values: [day] });
    for (const { email, subjects } of overdue) {
      const content = renderMail({ paragraphs: ['These tickets are overdue:', ...subjects] });
      await this.mails.send({ to: email, subject: 'Overdue tickets', ...content }, tx);
    }
  }
}
