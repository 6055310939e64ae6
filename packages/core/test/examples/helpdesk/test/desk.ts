import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Role } from '@plinth/core';
import { Client, startApp, TestApp } from '@plinth/dev/testing';

import { AppModule } from '../src/app.module.js';

/** A user with an access token. */
export interface Member {
  readonly id: number;
  readonly email: string;
  readonly client: Client;
  /** For requests that the client cannot send, such as uploads. */
  readonly headers: { readonly authorization: string };
}

/** The application with two companies. */
export interface Desk extends TestApp {
  readonly companies: readonly [acme: number, boreal: number];
  /** The folder with the files and the mails of the application. */
  readonly folder: string;
  /** Creates a user, and logs them in. */
  member(role: Role, companyId?: number): Promise<Member>;
}

export async function startDesk(): Promise<Desk> {
  const folder = mkdtempSync(join(tmpdir(), 'helpdesk-'));
  const app = await startApp(AppModule, { DATA_DIR: folder, DOCS: 'true' });
  const rows = await app.query<{ id: number }>(
    `insert into companies (name) values ('Acme'), ('Boreal') returning id`,
  );
  const [acme = 0, boreal = 0] = rows.map(({ id }) => id);
  return {
    ...app,
    companies: [acme, boreal],
    folder,
    member: async (role, companyId) => {
      const { id, email, password } = await app.user(role, { company_id: companyId });
      const { body } = await app.anonymous.post('/api/v1/login', { email, password });
      const headers = { authorization: `Bearer ${(body as { accessToken: string }).accessToken}` };
      return { id, email, client: app.anonymous.with(headers), headers };
    },
    stop: async () => {
      await app.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Adds a ticket, and returns its path. */
export async function addTicket({ client }: Member, values: object = {}): Promise<string> {
  const made = await client.post('/api/v1/tickets', {
    subject: 'Lamp',
    description: 'It flickers.',
    ...values,
  });
  expect([made.status, made.text]).toEqual([201, expect.anything()]);
  return made.headers.get('location')!;
}
