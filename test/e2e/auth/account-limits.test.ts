import { Answer, Client, errorOf, PASSWORD, uniqueEmail } from '@plinth/dev/testing';

import { useApp, useClient } from '../../support/app.js';

const LIMIT = 3;
const USERS = '/api/v1/users';

describe('limits on accounts and their mails', () => {
  const app = useApp({ LOGIN_RATE_LIMIT: String(LIMIT), TRUST_PROXY: 'loopback' });
  const admin = useClient(app, 'admin');

  let addresses = 0;
  const fromNewAddress = () => ({ 'x-forwarded-for': `198.51.100.${++addresses}` });
  const register = (client: Client, address: Record<string, string>, email = uniqueEmail('new')) =>
    client.post(USERS, { email, password: PASSWORD }, address);
  const codesOf = (answers: readonly Answer[]): (number | string)[] =>
    answers.map((answer) => (answer.status < 400 ? answer.status : errorOf(answer)));

  /** The number of stored mails to any of the given addresses, by kind. */
  async function mailsTo(emails: readonly string[]): Promise<Record<string, number>> {
    const rows = await app.query<{ kind: string; n: number }>(
      `select split_part(singleton_key, ' ', 1) as kind, count(*)::int as n from pgboss.job
       where split_part(singleton_key, ' ', 2) = any($1) group by 1`,
      [emails],
    );
    return Object.fromEntries(rows.map(({ kind, n }) => [kind, n]));
  }

  it('allow an address three times the limit of registrations, and mails up to the limit', async () => {
    const address = fromNewAddress();
    const emails = Array.from({ length: 3 * LIMIT }, () => uniqueEmail('stranger'));
    const answers: Answer[] = [];
    for (const email of emails) answers.push(await register(app.anonymous, address, email));
    expect(codesOf(answers)).toEqual(Array(3 * LIMIT).fill(201));
    expect(await mailsTo(emails)).toEqual({ emailVerification: LIMIT });
    const over = await register(app.anonymous, address);
    expect(errorOf(over)).toBe('429 RATE_LIMIT_EXCEEDED');
    expect(Number(over.headers.get('retry-after'))).toBeGreaterThan(800);
    expect((await register(app.anonymous, fromNewAddress())).status).toBe(201);
  });

  it('count registrations by a viewer in the same way, but not those by an administrator', async () => {
    const viewer = await app.as('viewer');
    const address = fromNewAddress();
    const many = async (client: Client): Promise<(number | string)[]> => {
      const answers: Answer[] = [];
      for (let i = 0; i <= 3 * LIMIT; i++) answers.push(await register(client, address));
      return codesOf(answers);
    };
    expect(await many(admin)).toEqual(Array(3 * LIMIT + 1).fill(201));
    expect(await many(viewer)).toEqual([...Array<number>(3 * LIMIT).fill(201), '429 RATE_LIMIT_EXCEEDED']);
  });

  it('hold exactly for many registrations at once', async () => {
    const address = fromNewAddress();
    const answers = await Promise.all(
      Array.from({ length: 5 * LIMIT }, () => register(app.anonymous, address)),
    );
    const count = (status: number) => answers.filter((answer) => answer.status === status).length;
    expect([count(201), count(429)]).toEqual([3 * LIMIT, 2 * LIMIT]);
  });

  it('do not reveal beyond the limit whether an e-mail is taken', async () => {
    const { user, caller } = await member();
    const taken = await app.user('viewer');
    const change = (email: string) =>
      caller.patch(`${USERS}/${user.id}`, { email, currentPassword: PASSWORD }, fromNewAddress());
    for (let i = 0; i < LIMIT; i++)
      expect(errorOf(await change(taken.email))).toBe('409 EMAIL_ALREADY_EXISTS');
    for (const email of [taken.email, uniqueEmail('free')])
      expect(errorOf(await change(email))).toBe('429 RATE_LIMIT_EXCEEDED');
  });

  it.each([
    ['of one account from several addresses', true],
    ['from one address', false],
  ])('refuse changes of e-mails beyond the limit, %s', async (_where, isOneAccount) => {
    const place = fromNewAddress();
    const emails: string[] = [];
    const statuses: (number | string)[] = [];
    let { user, caller } = await member();
    for (let i = 0; i <= LIMIT; i++) {
      if (!isOneAccount) ({ user, caller } = await member());
      const email = uniqueEmail('moved');
      const address = isOneAccount ? fromNewAddress() : place;
      emails.push(user.email, email);
      const change = { email, currentPassword: PASSWORD };
      statuses.push(...codesOf([await caller.patch(`${USERS}/${user.id}`, change, address)]));
      if (statuses.at(-1) === 200) user = { ...user, email };
    }
    expect(statuses).toEqual([...Array<number>(LIMIT).fill(200), '429 RATE_LIMIT_EXCEEDED']);
    const sent = await mailsTo(emails);
    expect(sent).toEqual({ emailVerification: LIMIT, emailChanged: LIMIT });
    // Other changes, and those by administrators, are not counted.
    expect((await caller.patch(`${USERS}/${user.id}`, { name: 'Ada' }, place)).status).toBe(200);
    const moved = await admin.patch(`${USERS}/${user.id}`, { email: uniqueEmail('by-admin') }, place);
    expect(moved.status).toBe(200);
  });

  /** A user whom an administrator created, so that no registration is counted, with a client of theirs. */
  async function member() {
    const client = await app.as('viewer');
    const { id, email } = (await client.get(`${USERS}/me`)).body as { id: number; email: string };
    return { user: { id, email }, caller: client };
  }
});

describe('many registrations at once', () => {
  const app = useApp({ LOGIN_RATE_LIMIT: '1000' });

  it('let a login go first', async () => {
    const email = uniqueEmail('login');
    const credentials = { email, password: PASSWORD };
    await app.anonymous.post(USERS, credentials);
    let left = 40;
    const registrations = Array.from({ length: left }, () =>
      app.anonymous.post(USERS, { email: uniqueEmail('many'), password: PASSWORD }).finally(() => left--),
    );
    // All registrations have been received once the first ones are being processed.
    await registrations[0];
    expect((await app.anonymous.post('/login', credentials)).status).toBe(200);
    expect(left).toBeGreaterThan(25);
    // On a busy machine, some wait too long in the queue and are refused.
    const statuses = (await Promise.all(registrations)).map(({ status }) => status);
    expect([201, 503]).toEqual(expect.arrayContaining([...new Set(statuses)]));
  });
});
