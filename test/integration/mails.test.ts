import { Module } from '@nestjs/common';
import { renderMail, LinkValues, MailContent, MailTemplates, PlinthModule } from '@plinth/core';
import { PlinthFactory } from '@plinth/core/start';
import { eventually, uniqueEmail } from '@plinth/dev/testing';
import PgBoss from 'pg-boss';

import '../../src/config/access.js';
import { AuthModule } from '../../src/auth/auth.module.js';
import { VERSIONS } from '../../src/config/versions.js';
import { DOCS } from '../../src/docs/docs.js';
import { MIGRATIONS } from '../../src/migrations/migrations.js';
import { UsersModule } from '../../src/users/users.module.js';
import { createDatabase, TestDatabase } from '../support/databases.js';
import { SECRET } from '../support/settings.js';
import { MailServer } from '../support/smtp.js';

class ShopMails extends MailTemplates {
  override emailVerification({ publicUrl, token }: LinkValues): MailContent {
    const link = { label: 'Bestätigen', url: `${publicUrl}/email-verification#token=${token}` };
    return { subject: 'Willkommen', ...renderMail({ paragraphs: ['Schön & gut.'], link }) };
  }
}

@Module({
  imports: [
    PlinthModule.forRoot({ migrations: MIGRATIONS, docs: DOCS, versions: VERSIONS, mails: ShopMails }),
    UsersModule,
    AuthModule,
  ],
})
class ShopModule {}

describe('mails', () => {
  const smtp = new MailServer();
  let database: TestDatabase;
  let app: Awaited<ReturnType<typeof PlinthFactory.create>>;
  beforeAll(async () => {
    await smtp.start();
    database = await createDatabase();
    const env = {
      JWT_SECRET: SECRET,
      LOG_LEVEL: 'silent',
      ADMIN_PASSWORD: SECRET,
      SMTP_URL: smtp.url,
      PUBLIC_URL: 'https://shop.example',
    };
    app = await PlinthFactory.create(ShopModule, { env: { ...env, DATABASE_URL: database.url } });
  });
  afterAll(async () => {
    await app.close();
    await database.drop();
    await smtp.stop();
  });

  async function register(): Promise<string> {
    const email = uniqueEmail('mailed');
    const payload = { email, password: 'correct horse battery staple' };
    expect((await app.inject({ method: 'POST', url: '/api/v1/users', payload })).statusCode).toBe(201);
    return email;
  }

  it('have the texts of the application', async () => {
    const [mail] = await smtp.mails(await register(), /^Subject: Willkommen$/m);
    expect(mail?.body).toMatch(/Sch=C3=B6n & gut\.[^]*Sch=C3=B6n &amp; gut\./);
  });

  it('are sent while a server delays another one', async () => {
    let release = (): void => undefined;
    const none = smtp.refusal;
    smtp.refusal = () => {
      smtp.refusal = none;
      return new Promise((resolve) => {
        release = () => {
          resolve(null);
        };
      });
    };
    const [held, other] = [await register(), await register()];
    await smtp.mails(other, /^Subject: Willkommen$/m);
    release();
    await smtp.mails(held, /^Subject: Willkommen$/m);
  });

  it('are retried with growing delays if a server refuses them, and fail in the end', async () => {
    const codes = [451, 550, 550];
    smtp.refusal = () => {
      // smtp-server removes control characters only from its messages.
      const responseCode = `${codes.shift() ?? 0} \0`;
      return Promise.resolve(Object.assign(new Error('refused '.repeat(50)), { responseCode }));
    };
    await register();
    // The delays begin at 5 s, and double.
    const state = async (): Promise<string> => {
      const [job] = await database.query<{ text: string }>(
        `select concat_ws(', ', state, retry_count, start_after - started_on >= interval '5 s' * 2 ^ retry_count,
         left(output->>'message', 29), length(output->>'message')) as text from pgboss.job order by created_on desc limit 1`,
      );
      return job?.text ?? '';
    };
    const nextAttempt = (count: string) =>
      database.query(
        `update pgboss.job set start_after = now(), retry_count = ${count} where state = 'retry'`,
      );
    await eventually(state, 'retry, 0, t, Message failed: 451 … refused, 300', 10_000);
    await nextAttempt('retry_count');
    await eventually(state, 'retry, 1, t, Message failed: 550 … refused, 300', 10_000);
    await nextAttempt('retry_limit - 1');
    await eventually(state, 'failed, 14, f, Message failed: 550 … refused, 300', 10_000);
    expect(codes).toEqual([]);
  }, 60_000);

  it('use tables of the version that the installed pg-boss requires', async () => {
    // The migration creates these tables. A later version of the library needs another migration, with its
    // getMigrationPlans().
    const [{ version } = {}] = await database.query<{ version: number }>(
      'select version from pgboss.version',
    );
    expect(version).toBe(24);
    expect(PgBoss.getConstructionPlans()).toContain(`INSERT INTO pgboss.version(version) VALUES ('24')`);
  });
});
