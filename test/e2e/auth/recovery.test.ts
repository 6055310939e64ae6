import { Answer, Client, errorOf, faultsOf, logIn, uniqueEmail } from '@plinth/dev/testing';

import { startApp, TestApp } from '../../support/app.js';
import { cookieOf } from '../../support/cookies.js';
import { CHANGED_EMAIL, CHANGED_PASSWORD, CONFIRM, MailServer, RESET } from '../../support/smtp.js';

const PASSWORD = 'correct horse battery staple';
const NEW_PASSWORD = 'another horse, another staple';
const AUTH = '/api/v1/auth';
const LIMIT = 4;

const smtp = new MailServer();
let app: TestApp;
beforeAll(async () => {
  await smtp.start();
  const settings = {
    SMTP_URL: smtp.url,
    MAIL_FROM: 'shop@example.org',
    PUBLIC_URL: 'https://shop.example/my/',
  };
  app = await startApp({ ...settings, LOGIN_RATE_LIMIT: String(LIMIT), TRUST_PROXY: 'loopback' });
});
afterAll(async () => {
  await app.stop();
  await smtp.stop();
});

let addresses = 0;
/** An address from which nothing has been sent yet. */
const fromNewAddress = () => ({ 'x-forwarded-for': `198.51.100.${++addresses}` });
const post = (path: string, body: unknown, headers = {}) =>
  app.anonymous.post(`${AUTH}${path}`, body, { ...fromNewAddress(), ...headers });

/** A registered user, to whom a link has been sent. */
async function register(label: string) {
  const email = uniqueEmail(label);
  const user = { email, password: PASSWORD, name: '<b>Ada</b>' };
  const { body } = await app.anonymous.post('/api/v1/users', user, fromNewAddress());
  await smtp.mails(email, CONFIRM);
  return {
    id: (body as { id: number }).id,
    email,
    caller: await logIn(app.anonymous, { email, password: PASSWORD }),
  };
}

/** Lets the next mail to an address be sent immediately. */
const aMinutePasses = (email: string) =>
  app.query(`update pgboss.job set singleton_on = null where singleton_key like '%' || $1`, [email]);

async function resetToken(email: string, count = 1): Promise<string> {
  await aMinutePasses(email);
  expect((await post('/password-reset', { email })).status).toBe(202);
  return smtp.token(email, RESET, count);
}

const login = (email: string, password: string) =>
  app.anonymous.post('/login', { email, password }, { 'x-forwarded-for': `198.51.101.${++addresses}` });

const cookieHeader = (answer: Answer): string =>
  ['session_id', 'refresh_token'].map((name) => `${name}=${cookieOf(answer, name)}`).join('; ');

describe('a password reset', () => {
  it('sends a link to PUBLIC_URL, sets the password once, ends all logins and notifies the owner', async () => {
    const { email } = await register('reset');
    const before = await login(email, PASSWORD);
    const cookie = cookieHeader(before);
    const spelled = email.toUpperCase();
    const answer = await post('/password-reset', { email: spelled }, { 'x-forwarded-host': 'evil.example' });
    expect([answer.status, answer.text, answer.headers.get('cache-control')]).toEqual([202, '', 'no-store']);
    const [mail] = await smtp.mails(email, RESET);
    expect(mail).toMatchObject({ from: 'shop@example.org', to: email });
    expect(mail?.headers).toMatch(/^From: Plinth <shop@example.org>$/m);
    expect(mail?.headers).toMatch(/^Message-ID: <[\w-]{36}@example.org>$/m);
    expect(
      mail?.body.match(/https:\/\/shop\.example\/my\/password-reset#token=[\w-]{43}(?=["\n])/g),
    ).toHaveLength(2);
    expect(mail?.body).not.toMatch(/evil|Ada/);

    const token = await smtp.token(email, RESET);
    const digests = await app.query(`select * from account_tokens where digest = sha256($1::text::bytea)`, [
      token,
    ]);
    expect(digests).toHaveLength(1);
    const stored = await app.query<{ text: string }>(
      'select j::text as text from pgboss.job as j union all select t::text from account_tokens as t',
    );
    expect(stored.filter(({ text }) => text.includes(token))).toEqual([]);

    expect((await post('/password-reset/confirm', { token, password: NEW_PASSWORD })).status).toBe(204);
    expect((await login(email, PASSWORD)).status).toBe(401);
    expect((await login(email, NEW_PASSWORD)).status).toBe(200);
    expect((await app.anonymous.get('/api/v1/users/me', { cookie })).status).toBe(401);
    expect((await app.anonymous.post(`${AUTH}/refresh`, undefined, { cookie })).status).toBe(401);
    await smtp.mails(email, CHANGED_PASSWORD);
    const again = await post('/password-reset/confirm', { token, password: PASSWORD });
    expect(errorOf(again)).toBe('400 INVALID_RESET_TOKEN');
  });

  it('answers an unknown e-mail like a known one, and sends nothing to it', async () => {
    const email = uniqueEmail('stranger');
    const count = smtp.received.length;
    const { email: known } = await register('known');
    const [stranger, user] = [
      await post('/password-reset', { email }),
      await post('/password-reset', { email: known }),
    ];
    expect([stranger.status, stranger.text]).toEqual([user.status, user.text]);
    expect([...stranger.headers.keys()]).toEqual([...user.headers.keys()]);
    await smtp.mails(known, RESET);
    expect(smtp.received.slice(count).map(({ to }) => to)).toEqual([known, known]);
  });

  it('succeeds for exactly one of many concurrent uses of a token', async () => {
    const { email } = await register('race');
    const token = await resetToken(email);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        post('/password-reset/confirm', { token, password: `${NEW_PASSWORD}${i}` }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array<number>(7).fill(400)]);
  });

  it('refuses a token that is malformed, expired or for another purpose, and a password that users may not have', async () => {
    const { id, email } = await register('wrong');
    const token = await resetToken(email);
    const confirm = (body: object) => post('/password-reset/confirm', { password: NEW_PASSWORD, ...body });
    for (const wrong of ['x', 'A'.repeat(43), await smtp.token(email, CONFIRM)])
      expect(errorOf(await confirm({ token: wrong }))).toBe('400 INVALID_RESET_TOKEN');
    expect(faultsOf(await confirm({}))).toEqual(['token REQUIRED']);
    expect(faultsOf(await confirm({ token, password: 'password' }))).toEqual(['password TOO_COMMON']);
    await app.query(`update account_tokens set expires_at = now() where purpose = 'passwordReset'`);
    expect(errorOf(await confirm({ token }))).toBe('400 INVALID_RESET_TOKEN');
    // Requesting another link deletes the expired one. Valid older links stay valid.
    const [second] = [await resetToken(email, 2), await resetToken(email, 3)];
    expect((await confirm({ token: second })).status).toBe(204);
    const left = `select from account_tokens where user_id = $1 and purpose = 'passwordReset'`;
    expect(await app.query(left, [id])).toEqual([]);
  });

  it.each([
    ['password', { password: NEW_PASSWORD, currentPassword: PASSWORD }],
    ['e-mail', { email: uniqueEmail('moved'), currentPassword: PASSWORD }],
  ])('is void once the %s is changed', async (what, change) => {
    const { id, email, caller } = await register(what);
    const token = await resetToken(email);
    expect((await caller.patch(`/api/v1/users/${id}`, change)).status).toBe(200);
    const answer = await post('/password-reset/confirm', { token, password: NEW_PASSWORD });
    expect(errorOf(answer)).toBe('400 INVALID_RESET_TOKEN');
    await smtp.mails(email, what === 'password' ? CHANGED_PASSWORD : CHANGED_EMAIL);
  });

  it('is limited per account by sending no more mails, whether or not the account exists', async () => {
    const { email, caller } = await register('mailed');
    for (const target of [email, uniqueEmail('nobody')]) {
      for (let i = 0; i < 2 * LIMIT; i++) {
        await aMinutePasses(target);
        const { status, text } = await post('/password-reset', { email: target });
        expect([status, text]).toEqual([202, '']);
      }
    }
    // Reset mails that others requested do not keep the owner from getting other mails.
    await aMinutePasses(email);
    expect((await caller.post(`${AUTH}/email-verification`, undefined)).status).toBe(202);
    await smtp.mails(email, CONFIRM, 2);
    expect(smtp.received.filter(({ to, headers }) => to === email && RESET.test(headers))).toHaveLength(
      LIMIT,
    );
  });

  it('is limited per address with 429, and sends at most one mail a minute', async () => {
    const { email } = await register('flood');
    for (let i = 0; i < LIMIT - 1; i++) await post('/password-reset', { email });
    const address = { 'x-forwarded-for': '203.0.113.9' };
    for (let i = 0; i < LIMIT; i++) await post('/password-reset', { email: uniqueEmail('any') }, address);
    const over = await post('/password-reset', { email: uniqueEmail('any') }, address);
    expect(errorOf(over)).toBe('429 RATE_LIMIT_EXCEEDED');
    expect(Number(over.headers.get('retry-after'))).toBeGreaterThan(800);
    // A later mail has arrived, so the queue is empty.
    const { email: other } = await register('after');
    await smtp.mails(other, CONFIRM);
    expect(smtp.received.filter(({ to, headers }) => to === email && RESET.test(headers))).toHaveLength(1);
  });
});

describe('an e-mail verification', () => {
  let admin: Client;
  beforeAll(async () => void (admin = await app.as('admin')));

  const isVerified = async (id: number) =>
    ((await admin.get(`/api/v2/users/${id}`)).body as { emailVerified: boolean }).emailVerified;

  it('is sent on registration and on request, and confirms the e-mail once', async () => {
    const { id, email, caller } = await register('verify');
    const token = await smtp.token(email, CONFIRM);
    expect(await isVerified(id)).toBe(false);
    await aMinutePasses(email);
    expect((await caller.post(`${AUTH}/email-verification`, undefined)).status).toBe(202);
    await smtp.mails(email, CONFIRM, 2);
    expect((await post('/email-verification/confirm', { token })).status).toBe(204);
    expect(await isVerified(id)).toBe(true);
    expect(errorOf(await post('/email-verification/confirm', { token }))).toBe(
      '400 INVALID_VERIFICATION_TOKEN',
    );
    expect(errorOf(await post('/email-verification', undefined))).toBe('401 AUTHENTICATION_REQUIRED');
  });

  it('is required again for a new e-mail, voids older links and notifies the old address', async () => {
    const { id, email, caller } = await register('before');
    const patch = (to: string) =>
      caller.patch(`/api/v1/users/${id}`, { email: to, currentPassword: PASSWORD }, fromNewAddress());
    await post('/email-verification/confirm', { token: await smtp.token(email, CONFIRM) });
    await patch(email.toUpperCase());
    expect(await isVerified(id)).toBe(true);
    await patch(email);
    const other = uniqueEmail('after');
    await aMinutePasses(email);
    await app.query('update users set email_verified = false where id = $1', [id]);
    await caller.post(`${AUTH}/email-verification`, undefined);
    const old = await smtp.token(email, CONFIRM, 2);
    await app.query('update users set email_verified = true where id = $1', [id]);
    await patch(other);
    expect(await isVerified(id)).toBe(false);
    const [told] = await smtp.mails(email, CHANGED_EMAIL);
    expect(told?.body).not.toContain(other);
    expect(errorOf(await post('/email-verification/confirm', { token: old }))).toBe(
      '400 INVALID_VERIFICATION_TOKEN',
    );
    const token = await smtp.token(other, CONFIRM);
    expect((await post('/email-verification/confirm', { token })).status).toBe(204);
    expect(await isVerified(id)).toBe(true);
  });

  it('may be requested with a cookie only by pages of the same origin', async () => {
    const { email } = await register('origin');
    const cookie = cookieHeader(await login(email, PASSWORD));
    const answer = await post('/email-verification', undefined, { cookie, origin: 'https://evil.example' });
    expect(errorOf(answer)).toBe('403 CROSS_ORIGIN_REJECTED');
  });
});

it('MAIL=off removes all routes of mails, and leaves the others as they are', async () => {
  const off = await startApp({ MAIL: 'off', DOCS: 'true' });
  try {
    // The test client would check responses against the document of a service with mails.
    for (const path of ['password-reset', 'password-reset/confirm', 'email-verification']) {
      const { status } = await fetch(`${off.baseUrl}${AUTH}/${path}`, { method: 'POST' });
      expect([path, status]).toEqual([path, 404]);
    }
    expect(await (await fetch(`${off.baseUrl}/docs/openapi.json`)).text()).not.toContain('password-reset');
    const registered = await off.anonymous.post('/api/v1/users', {
      email: uniqueEmail('off'),
      password: PASSWORD,
    });
    expect(registered.status).toBe(201);
    expect(await off.query('select from pgboss.job')).toEqual([]);
  } finally {
    await off.stop();
  }
});
