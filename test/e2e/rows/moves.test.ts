import { AccountsRepository } from '@plinth/core/auth';
import { Answer, Client, errorOf, eventually, logIn } from '@plinth/dev/testing';
import pg from 'pg';

import { Role } from '../../../packages/core/src/config/define-access.js';
import { CompaniesApp, startCompanies } from '../../support/companies.js';

const [ACME, BOREAL] = [1, 2];

describe('somebody who gets another role and company while a request authenticates them', () => {
  let app: CompaniesApp;

  beforeAll(async () => {
    app = await startCompanies(['acme', 'boreal']);
    await app.member('viewer', BOREAL);
  });
  afterAll(() => app.stop());
  afterEach(() => jest.restoreAllMocks());

  /** Returns a manager of ACME, and headers for each scheme that looks the user up for each request. */
  async function manager(): Promise<{ id: number; schemes: Record<string, Record<string, string>> }> {
    const { id, email, password } = await app.member('editor', ACME);
    const client = await logIn(app.anonymous, { email, password });
    const permissions = ['read', 'manage_users'];
    const { key } = (await client.post('/api/v1/api-keys', { name: 'key', permissions })).body as {
      key: string;
    };
    const login = await app.anonymous.post('/api/v1/login', { email, password, scheme: 'session' });
    const cookie = login.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const basic = Buffer.from(`${email}:${password}`).toString('base64');
    const schemes = {
      'API key': { 'x-api-key': key },
      session: { cookie },
      Basic: { authorization: `Basic ${basic}` },
    };
    return { id, schemes };
  }

  /** Moves a user before each of the next look-ups, which are after the one that finds the role. */
  function moveBeforeLookUps(id: number, ...moves: readonly (readonly [Role, number])[]): void {
    const users = app.app.nest.get(AccountsRepository);
    const find = users.findCurrent.bind(users);
    const spy = jest.spyOn(users, 'findCurrent');
    for (const [role, companyId] of moves)
      spy.mockImplementationOnce(async (userId) => {
        await app.query('update users set role = $1, company_id = $2 where id = $3', [role, companyId, id]);
        return find(userId);
      });
  }

  const listUsers = (headers: Record<string, string>): Promise<Answer> =>
    app.anonymous.get('/api/v1/users', headers);

  it.each(['API key', 'session', 'Basic'])('does not manage users of the new company: %s', async (scheme) => {
    const { id, schemes } = await manager();
    const headers = schemes[scheme] ?? {};
    expect((await listUsers(headers)).status).toBe(200);
    moveBeforeLookUps(id, ['viewer', BOREAL]);
    expect(errorOf(await listUsers(headers))).toBe('403 PERMISSION_DENIED');
  });

  it('is asked to authenticate again if their role changes twice', async () => {
    const { id, schemes } = await manager();
    moveBeforeLookUps(id, ['viewer', BOREAL], ['editor', ACME]);
    expect(errorOf(await listUsers(schemes['Basic'] ?? {}))).toBe('401 INVALID_CREDENTIALS');
    expect((await listUsers(schemes['Basic'] ?? {})).status).toBe(200);
  });
});

describe('a row that is read while its parent moves', () => {
  let app: CompaniesApp;

  beforeAll(async () => {
    app = await startCompanies(['acme', 'boreal'], { RATE_LIMIT: '0' });
  });
  afterAll(() => app.stop());

  it('is never shown as it was before it concerned the caller', async () => {
    const acme = await app.asMember('viewer', ACME);
    const boreal = await app.asMember('editor', BOREAL);
    const make = async (path: string, body: object): Promise<number> =>
      ((await boreal.post(`/api/v1/${path}`, body)).body as { id: number }).id;
    const ticketId = await make('tickets', { subject: 'moving' });
    const commentId = await make('comments', { ticketId, text: 'secret' });
    const move = async (companyId: number, comment: string): Promise<void> => {
      await app.query(
        `with moved as (update tickets set company_id = $1 where id = $2) update comments set text = $3 where id = $4`,
        [companyId, ticketId, comment, commentId],
      );
    };
    const texts = new Set<unknown>();
    const moves = new AbortController();
    const read = async (): Promise<void> => {
      while (!moves.signal.aborted) {
        const { status, body } = await acme.get(`/api/v1/comments/${commentId}`);
        texts.add(status === 200 ? (body as { text: string }).text : status);
      }
    };
    const readers = [read(), read(), read(), read()];
    for (let count = 0; count < 150; count++) {
      await move(ACME, 'shared');
      await move(BOREAL, 'secret');
    }
    moves.abort();
    await Promise.all(readers);
    expect([...texts].sort()).toEqual([404, 'shared']);
  });
});

describe('a grant that is given while somebody moves', () => {
  let app: CompaniesApp;
  let acme: Client;
  const holder = { user: 0, key: 0 };

  beforeAll(async () => {
    app = await startCompanies(['acme', 'boreal']);
    acme = await app.asMember('editor', ACME);
    const user = await app.member('viewer', ACME);
    const client = await logIn(app.anonymous, user);
    const key = await client.post('/api/v1/api-keys', { name: 'key', permissions: ['read'] });
    Object.assign(holder, { user: user.id, key: (key.body as { id: number }).id });
  });
  afterAll(() => app.stop());

  const MOVES: readonly (readonly [name: string, toKey: boolean, table: 'tickets' | 'users'])[] = [
    ['the row', false, 'tickets'],
    ['the holder', false, 'users'],
    ['the owner of the API key that gets it', true, 'users'],
  ];

  it.each(MOVES)('does not outlive the removal of the grants: %s', async (_name, toKey, table) => {
    const ticket = await acme.post('/api/v1/tickets', { subject: 'moving' });
    const ticketId = (ticket.body as { id: number }).id;
    const moved = table === 'tickets' ? ticketId : holder.user;
    const db = new pg.Client({ connectionString: app.databaseUrl });
    await db.connect();
    try {
      await db.query('begin');
      await db.query(`update ${table} set company_id = $1 where id = $2`, [BOREAL, moved]);
      let isAnswered = false;
      const sent = acme
        .post('/api/v1/access-grants', {
          ...{ resourceType: 'ticket', resourceId: ticketId, permissions: ['read'], effect: 'allow' },
          ...(toKey ? { userId: null, apiKeyId: holder.key } : { userId: holder.user, apiKeyId: null }),
        })
        .finally(() => (isAnswered = true));
      const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
      await eventually(async () => isAnswered || (await app.query(waiting)).length > 0, true, 30_000);
      await db.query('delete from access_grants');
      await db.query('commit');
      expect(errorOf(await sent)).toBe('422 UNPROCESSABLE_ENTITY');
      expect(await app.query('select id from access_grants')).toEqual([]);
    } finally {
      await db.end();
      await app.query('update users set company_id = $1 where id = $2', [ACME, holder.user]);
    }
  });
});
