import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { eventually } from '@plinth/dev/testing';

import { freePort } from '../../scripts/lib/free-port.mjs';
import { createDatabase, TestDatabase } from '../support/databases.js';
import { ServiceProcess } from '../support/service-process.js';
import { SECRET } from '../support/settings.js';
import { CONFIRM, MailServer, register } from '../support/smtp.js';

const RETRIED = /Mail [\w-]{36} was not sent and will be retried: .*ECONNREFUSED/;

let database: TestDatabase;
let smtp: MailServer;
/** The address of the service. */
let port: number;
/** The service that sends to the server, which a test has left running for the next one. */
let spare: ServiceProcess | undefined;
beforeAll(async () => {
  database = await createDatabase();
  port = await freePort();
});
beforeEach(async () => {
  await database.query('delete from pgboss.job');
  smtp = new MailServer();
});
afterEach(() => smtp.stop());
afterAll(async () => {
  if (spare) await kill(spare);
  await database.drop();
});

const start = (settings: object = { SMTP_URL: `smtp://127.0.0.1:${port}` }): Promise<ServiceProcess> =>
  ServiceProcess.started({
    JWT_SECRET: SECRET,
    DATABASE_URL: database.url,
    ADMIN_PASSWORD: 'a password',
    ...settings,
  });

async function startOrGoOn(): Promise<ServiceProcess> {
  const service = spare ?? (await start());
  spare = undefined;
  return service;
}

async function kill(service: ServiceProcess): Promise<void> {
  service.kill('SIGKILL');
  await service.exited;
}

const states = async (): Promise<string[]> =>
  (await database.query<{ state: string }>('select state::text from pgboss.job order by created_on')).map(
    ({ state }) => state,
  );

describe('mails at a crash', () => {
  it('survive a kill -9 before any server has accepted them, and are sent once', async () => {
    await smtp.start(port);
    const first = await startOrGoOn();
    // Mails that have been sent are not sent again.
    await register(first);
    await eventually(async () => (await states()).join(), 'completed', 10_000);
    await smtp.stop();
    const emails = [await register(first), await register(first)];
    await eventually(async () => (await states()).join(), 'completed,retry,retry', 10_000);
    // The shutdown writes the remaining log.
    await eventually(async () => RETRIED.test(first.log), true, 10_000);
    await kill(first);
    smtp = await new MailServer().start(port);
    await database.query('update pgboss.job set start_after = now()');
    const second = await start();
    for (const email of emails) await smtp.mails(email, CONFIRM);
    await eventually(async () => (await states()).join(), 'completed,completed,completed', 10_000);
    await smtp.mails(await register(second), CONFIRM);
    expect(smtp.received).toHaveLength(3);
    smtp.refusal = ({ body }) => Promise.resolve(new Error(/#token=\S+/.exec(body)?.[0]));
    await register(second);
    const failure = `select output->>'message' as words from pgboss.job where state = 'retry'`;
    const words = async () => (await database.query<{ words: string }>(failure))[0]?.words;
    await eventually(words, 'Message failed: 450 #token=…', 10_000);
    await eventually(async () => second.log.includes('450 #token=…'), true, 10_000);
    expect(first.log + second.log).not.toMatch(/token=[^…]/);
    spare = second;
  });

  it('are sent again by another instance, with the same Message-ID, if a kill -9 interrupts sending', async () => {
    await smtp.start(port);
    const first = await startOrGoOn();
    const second = await start();
    const ids: string[] = [];
    const taken = new Promise<void>((resolve) => {
      smtp.refusal = async ({ headers }) => {
        ids.push(/^Message-ID: (.+)$/m.exec(headers)?.[1] ?? '');
        resolve();
        // The mail server never answers the first instance.
        if (ids.length === 1) await once(process, 'never');
        return null;
      };
    });
    const email = await register(first);
    await taken;
    expect(await states()).toEqual(['active']);
    await kill(first);
    // Simulates the minute after which a sender counts as dead.
    await database.query(`update pgboss.job set started_on = started_on - interval '1 minute'`);
    await eventually(async () => (await states()).join(), 'retry', 30_000);
    await smtp.mails(email, CONFIRM);
    expect(ids).toHaveLength(2);
    expect(ids[0]).toBe(ids[1]);
    spare = second;
  });

  it('do not delay SIGTERM if a server delays them, and are tried again', async () => {
    await smtp.start(port);
    const service = await startOrGoOn();
    const taken = new Promise<void>((resolve) => {
      smtp.refusal = async () => {
        resolve();
        await once(process, 'never');
        return null;
      };
    });
    await register(service);
    await taken;
    const begin = performance.now();
    service.kill('SIGTERM');
    expect(await service.exited).toBe(0);
    expect(performance.now() - begin).toBeLessThan(10_000);
    expect(await states()).toEqual(['retry']);
  });

  it('are written to files without SMTP_URL, as the start announces, with links to the address of the service', async () => {
    if (spare) await kill(spare);
    spare = undefined;
    const service = await start({ MAIL_FROM: 'ops@example.org' });
    const folder = join(service.directory, 'mail');
    expect(service.output).toContain(`Mails          written to ${folder}. Set SMTP_URL to send them`);
    const email = await register(service);
    await eventually(async () => (await states()).join(), 'completed', 10_000);
    const [file = ''] = readdirSync(folder);
    const text = readFileSync(join(folder, file), 'utf8').replaceAll('=\r\n', '');
    expect(text).toContain(`To: ${email}\r\n`);
    expect(text).toContain(`http://127.0.0.1:${service.port}/email-verification#token=`);
    await kill(service);
  });
});
