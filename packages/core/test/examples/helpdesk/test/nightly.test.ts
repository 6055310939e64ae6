import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Job } from '@plinth/core';
import { eventually } from '@plinth/dev/testing';

import { NightlyProcessor } from '../src/nightly/nightly.processor.js';
import { addTicket, Desk, Member, startDesk } from './desk.js';

let desk: Desk;
let agent: Member;
let acme: Member;

beforeAll(async () => {
  desk = await startDesk();
  agent = await desk.member('agent');
  acme = await desk.member('customer', desk.companies[0]);
});
afterAll(() => desk.stop());

const run = (day: string): Promise<void> =>
  desk.nest.get(NightlyProcessor).process({ data: { day } } as Job<{ day: string }>);

const idIn = (path: string): number => Number(path.split('/').at(-1));

describe('the nightly job', () => {
  it('archives tickets that were solved more than 30 days ago', async () => {
    const [old, recent, open] = [await addTicket(acme), await addTicket(acme), await addTicket(acme)];
    for (const path of [old, recent]) await agent.client.patch(path, { status: 'solved' });
    for (const [path, days] of [
      [old, 31],
      [recent, 29],
    ] as const)
      await desk.query(`update tickets set solved_at = now() - make_interval(days => $2) where id = $1`, [
        idIn(path),
        days,
      ]);
    await run('2026-01-01');
    const archived = async (path: string): Promise<unknown> =>
      ((await acme.client.get(path)).body as { isArchived: boolean }).isArchived;
    expect([await archived(old), await archived(recent), await archived(open)]).toEqual([true, false, false]);
  });

  it('sends each agent one mail about overdue tickets, even if it runs twice', async () => {
    for (const [subject, values] of [
      ['The lamp flickers', { dueOn: '2026-03-01' }],
      ['Due today', { dueOn: '2026-03-02' }],
      ['Solved', { dueOn: '2026-03-01', status: 'solved' }],
    ] as const)
      await agent.client.patch(await addTicket(acme, { subject }), { ...values, assigneeId: agent.id });
    await run('2026-03-02');
    await run('2026-03-02');
    const folder = join(desk.folder, 'mail');
    // The folder appears with the first mail.
    const names = (): string[] => (existsSync(folder) ? readdirSync(folder) : []);
    const mails = (): string[] => names().map((name) => readFileSync(join(folder, name), 'utf8'));
    const written = (): number => mails().filter((mail) => mail.includes('The lamp flickers')).length;
    await eventually(() => Promise.resolve(written()), 1, 30_000);
    const [mail = ''] = mails();
    expect(mail).toContain(`To: ${agent.email}`);
    expect(mail).toContain('Subject: Overdue tickets');
    expect(mail).not.toContain('Due today');
    const queued = await desk.query(`select from pgboss.job where name = 'mails'`);
    expect(queued).toHaveLength(1);
  });

  it('removes old files that no attachment names', async () => {
    const folder = join(desk.folder, 'attachments');
    mkdirSync(folder, { recursive: true });
    for (const [name, days] of [
      ['unused', 2],
      ['used', 2],
      ['fresh', 0],
    ] as const) {
      writeFileSync(join(folder, name), 'x');
      const at = Date.now() / 1000 - days * 86_400;
      utimesSync(join(folder, name), at, at);
    }
    await desk.query(
      `insert into attachments (ticket_id, name, media_type, size, file) values ($1, 'a', 'image/png', 1, 'used')`,
      [idIn(await addTicket(acme))],
    );
    await run('2026-01-02');
    expect(readdirSync(folder).sort()).toEqual(['fresh', 'used']);
  });

  it('runs once, although every process schedules it', async () => {
    const processor = desk.nest.get(NightlyProcessor);
    await Promise.all([processor.schedule(), processor.schedule(), processor.schedule()]);
    const day = new Date().toISOString().slice(0, 10);
    const ran = async (): Promise<number> =>
      (await desk.query('select from nightly_runs where day = $1', [day])).length;
    await eventually(ran, 1, 30_000);
    const jobs = await desk.query(`select from pgboss.job where name = 'nightly'`);
    expect(jobs).toHaveLength(1);
  });
});
