import { Client, errorOf, faultsOf, logIn } from '@plinth/dev/testing';

import { CompaniesApp, startCompanies } from '../../support/companies.js';

const [ACME, BOREAL] = [1, 2];
const UNKNOWN = 999_999;

type Response = Awaited<ReturnType<Client['get']>>;

describe('rows of another company', () => {
  let app: CompaniesApp;
  let acme: Client;
  let boreal: Client;
  let staff: Client;
  let borealUser: number;
  /** A ticket of each company, with a comment and a reaction. */
  const own = { ticket: 0, comment: 0, reaction: 0 };
  const other = { ticket: 0, comment: 0, reaction: 0, user: 0, company: BOREAL, key: 0 };

  beforeAll(async () => {
    app = await startCompanies(['acme', 'boreal']);
    acme = await app.asMember('editor', ACME);
    const user = await app.member('editor', BOREAL);
    borealUser = user.id;
    boreal = await logIn(app.anonymous, user);
    staff = await app.asMember('admin', null);
    Object.assign(own, await threadOf(acme, 'acme'));
    const key = await create(boreal, '/api/v1/api-keys', { name: 'key', permissions: ['read'] });
    Object.assign(other, await threadOf(boreal, 'boreal'), { user: borealUser, key });
  });
  afterAll(() => app.stop());

  async function create(client: Client, path: string, body: object): Promise<number> {
    const made = await client.post(path, body);
    if (made.status !== 201) {
      const errors = app.log.filter(({ level }) => Number(level) >= 50).slice(-2);
      throw new Error(`${path}: ${made.text} ${JSON.stringify(errors)}`);
    }
    return (made.body as { id: number }).id;
  }

  async function threadOf(client: Client, subject: string): Promise<typeof own> {
    const ticket = await create(client, '/api/v1/tickets', { subject });
    const comment = await create(client, '/api/v1/comments', { ticketId: ticket, text: subject });
    const reaction = await create(client, '/api/v1/reactions', { commentId: comment, kind: 'up' });
    return { ticket, comment, reaction };
  }

  const idsOf = ({ body }: Response): number[] =>
    (body as { data: { id: number }[] }).data.map(({ id }) => id).sort((a, b) => a - b);
  const list = async (client: Client, path: string): Promise<number[]> => idsOf(await client.get(path));

  /** The response without the id that the request named, and without what differs between any two responses. */
  const answer = ({ status, text }: Response, id: number): string =>
    `${status} ${text.replaceAll(new RegExp(`\\b${id}\\b`, 'g'), '<id>').replace(/"requestId":"[^"]*"/, '')}`;

  /** Requests that name a row of another company, or a row that does not exist. */
  const REQUESTS: Record<
    string,
    readonly [keyof typeof other, (client: Client, id: number) => Promise<Response>]
  > = {
    'GET of a ticket': ['ticket', (client, id) => client.get(`/api/v1/tickets/${id}`)],
    'PUT of a ticket': ['ticket', (client, id) => client.put(`/api/v1/tickets/${id}`, { subject: 'x' })],
    'PATCH of a ticket': ['ticket', (client, id) => client.patch(`/api/v1/tickets/${id}`, { subject: 'x' })],
    'PATCH of a ticket that moves it': [
      'ticket',
      (client, id) => client.patch(`/api/v1/tickets/${id}`, { companyId: ACME }),
    ],
    'PATCH of a ticket, with a wrong ETag': [
      'ticket',
      (client, id) => client.patch(`/api/v1/tickets/${id}`, { subject: 'x' }, { 'if-match': '"no"' }),
    ],
    'empty PATCH of a ticket': ['ticket', (client, id) => client.patch(`/api/v1/tickets/${id}`, {})],
    'DELETE of a ticket': ['ticket', (client, id) => client.delete(`/api/v1/tickets/${id}`)],
    'GET of a comment': ['comment', (client, id) => client.get(`/api/v1/comments/${id}`)],
    'PATCH of a comment': ['comment', (client, id) => client.patch(`/api/v1/comments/${id}`, { text: 'x' })],
    'DELETE of a comment': ['comment', (client, id) => client.delete(`/api/v1/comments/${id}`)],
    'GET of a reaction': ['reaction', (client, id) => client.get(`/api/v1/reactions/${id}`)],
    'DELETE of a reaction': ['reaction', (client, id) => client.delete(`/api/v1/reactions/${id}`)],
    'GET of the comments of a ticket': [
      'ticket',
      (client, id) => client.get(`/api/v1/tickets/${id}/comments`),
    ],
    'POST of a comment of a ticket': [
      'ticket',
      (client, id) => client.post(`/api/v1/tickets/${id}/comments`, { text: 'x' }),
    ],
    'GET of a company': ['company', (client, id) => client.get(`/api/v1/companies/${id}`)],
    'GET of a user': ['user', (client, id) => client.get(`/api/v1/users/${id}`)],
    'PATCH of a user': ['user', (client, id) => client.patch(`/api/v1/users/${id}`, { name: 'x' })],
    'PATCH of the role of a user': [
      'user',
      (client, id) => client.patch(`/api/v1/users/${id}`, { role: 'viewer' }),
    ],
    'PATCH of the e-mail of a user': [
      'user',
      (client, id) => client.patch(`/api/v1/users/${id}`, { email: 'taken@example.com' }),
    ],
    'DELETE of a user': ['user', (client, id) => client.delete(`/api/v1/users/${id}`)],
    'GET of an API key': ['key', (client, id) => client.get(`/api/v1/api-keys/${id}`)],
    'DELETE of an API key': ['key', (client, id) => client.delete(`/api/v1/api-keys/${id}`)],
    'a ticket of a company': [
      'company',
      (client, id) => client.post('/api/v1/tickets', { subject: 'x', companyId: id }),
    ],
    'a ticket that moves to a company': [
      'company',
      (client, id) => client.patch(`/api/v1/tickets/${own.ticket}`, { companyId: id }),
    ],
    'a ticket with an assignee': [
      'user',
      (client, id) => client.post('/api/v1/tickets', { subject: 'x', assigneeId: id }),
    ],
    'a ticket that gets an assignee': [
      'user',
      (client, id) => client.patch(`/api/v1/tickets/${own.ticket}`, { assigneeId: id }),
    ],
    'a comment on a ticket': [
      'ticket',
      (client, id) => client.post('/api/v1/comments', { ticketId: id, text: 'x' }),
    ],
    'a comment that moves to a ticket': [
      'ticket',
      (client, id) => client.patch(`/api/v1/comments/${own.comment}`, { ticketId: id }),
    ],
    'a reaction to a comment': [
      'comment',
      (client, id) => client.post('/api/v1/reactions', { commentId: id, kind: 'up' }),
    ],
    'a grant on a ticket': [
      'ticket',
      (client, id) => client.post('/api/v1/access-grants', grant({ resourceId: id, userId: 0 })),
    ],
    'a grant to a user': [
      'user',
      (client, id) => client.post('/api/v1/access-grants', grant({ resourceId: own.ticket, userId: id })),
    ],
    'a grant to an API key': [
      'key',
      (client, id) =>
        client.post('/api/v1/access-grants', {
          ...grant({ resourceId: own.ticket, userId: 0 }),
          userId: null,
          apiKeyId: id,
        }),
    ],
    'an update in a batch': [
      'ticket',
      (client, id) =>
        client.post('/api/v1/tickets/batch', {
          operations: [{ method: 'update', id, body: { subject: 'x' } }],
        }),
    ],
    'a deletion in a batch': [
      'ticket',
      (client, id) => client.post('/api/v1/tickets/batch', { operations: [{ method: 'delete', id }] }),
    ],
    'a creation in a batch': [
      'company',
      (client, id) =>
        client.post('/api/v1/tickets/batch', {
          operations: [{ method: 'create', body: { subject: 'x', companyId: id } }],
        }),
    ],
  };

  const grant = ({ resourceId, userId }: { resourceId: number; userId: number }) => ({
    resourceType: 'ticket',
    resourceId,
    userId: userId || own.ticket,
    permissions: ['read'],
    effect: 'allow',
  });

  it.each(Object.entries(REQUESTS))('get the same answer as unknown rows: %s', async (_, [kind, send]) => {
    const counts = `select (select count(*) from tickets) as tickets, (select count(*) from comments) as comments,
      (select count(*) from access_grants) as grants, (select max(version) from tickets) as version`;
    const before = await app.query(counts);
    const unknown = answer(await send(acme, UNKNOWN), UNKNOWN);
    expect(answer(await send(acme, other[kind]), other[kind])).toBe(unknown);
    expect(unknown).toMatch(/^(404|422|200 \{"results":\[\{"status":(404|422))/);
    expect(await app.query(counts)).toEqual(before);
  });

  /** Lists, with the rows that a caller of the company finds in them. */
  const LISTS: Record<string, readonly [path: string, found: () => number[]]> = {
    tickets: ['/api/v1/tickets', () => [own.ticket]],
    'tickets by cursor': ['/api/v1/tickets?cursor=', () => [own.ticket]],
    'tickets by subject': ['/api/v1/tickets?sort=subject:asc', () => [own.ticket]],
    'tickets that are open': ['/api/v1/tickets?status=open&status=closed', () => [own.ticket]],
    'tickets of the other company': [`/api/v1/tickets?companyId=${BOREAL}`, () => []],
    'tickets of the own company': [`/api/v1/tickets?companyId=${ACME}`, () => [own.ticket]],
    'the other ticket by id': ['/api/v1/tickets?id=<ticket>', () => []],
    'a search for the other ticket': ['/api/v1/tickets?q=boreal', () => []],
    'a search for the own ticket': ['/api/v1/tickets?q=acme', () => [own.ticket]],
    comments: ['/api/v1/comments', () => [own.comment]],
    'comments of the other ticket': ['/api/v1/comments?ticketId=<ticket>', () => []],
    reactions: ['/api/v1/reactions', () => [own.reaction]],
    companies: ['/api/v1/companies', () => [ACME]],
    'API keys': ['/api/v1/api-keys', () => []],
    grants: ['/api/v1/access-grants', () => []],
  };

  it.each(Object.entries(LISTS))('are not in lists and totals: %s', async (_, [path, found]) => {
    const page = await acme.get(path.replace('<ticket>', String(other.ticket)));
    expect(page.status).toBe(200);
    expect(idsOf(page)).toEqual(found());
    const { total } = (page.body as { pagination: { total?: number } }).pagination;
    if (!path.includes('cursor')) expect(total).toBe(found().length);
  });

  it('are in the lists of staff', async () => {
    expect(await list(staff, '/api/v1/tickets')).toEqual([own.ticket, other.ticket].sort((a, b) => a - b));
    expect((await list(staff, '/api/v1/reactions')).length).toBe(2);
    const users = (await acme.get('/api/v1/users')).body as { data: { companyId: number }[] };
    expect(new Set(users.data.map(({ companyId }) => companyId))).toEqual(new Set([ACME]));
  });

  it('are not in facets, exports and pages for callers without a company', async () => {
    const facets = (await acme.get('/api/v1/tickets/facets')).body as { status: unknown };
    expect(facets.status).toEqual([{ value: 'open', count: 1 }]);
    const csv = (await acme.get('/api/v1/tickets', { accept: 'text/csv' })).text.trim().split('\r\n');
    expect(csv.length).toBe(2);
    expect(csv[1]).toContain('acme');
    const nobody = await app.asMember('viewer', null);
    expect(await list(nobody, '/api/v1/tickets')).toEqual([]);
    expect(await list(nobody, '/api/v1/comments')).toEqual([]);
    expect((await nobody.get(`/api/v1/tickets/${own.ticket}`)).status).toBe(404);
    expect((await nobody.post('/api/v1/tickets', { subject: 'x' })).status).toBe(403);
  });

  it('are private, even if the resource allows shared caches', async () => {
    const { headers } = await acme.get('/api/v1/tickets');
    expect(headers.get('cache-control')).toBe('private, no-cache');
  });

  it('give a new row the company of the caller', async () => {
    const id = await create(acme, '/api/v1/tickets', { subject: 'mine' });
    expect((await staff.get(`/api/v1/tickets/${id}`)).body).toMatchObject({ companyId: ACME });
    const user = await create(acme, '/api/v1/users', {
      email: 'new@example.com',
      password: 'a long passphrase',
    });
    expect((await staff.get(`/api/v1/users/${user}`)).body).toMatchObject({ companyId: ACME });
    await staff.delete(`/api/v1/tickets/${id}`);
  });

  it('need a company if the caller has none', async () => {
    const refused = await staff.post('/api/v1/tickets', { subject: 'x' });
    expect([errorOf(refused), faultsOf(refused)]).toEqual(['400 VALIDATION_FAILED', ['companyId REQUIRED']]);
    const id = await create(staff, '/api/v1/tickets', { subject: 'x', companyId: BOREAL });
    expect((await boreal.get(`/api/v1/tickets/${id}`)).status).toBe(200);
    await staff.delete(`/api/v1/tickets/${id}`);
  });

  it('are reached by a grant that allows, and only by its permission', async () => {
    const user = await app.member('viewer', ACME);
    const client = await logIn(app.anonymous, user);
    const path = `/api/v1/tickets/${other.ticket}`;
    const permissions = ['read', 'create'];
    const allow = {
      resourceType: 'ticket',
      resourceId: other.ticket,
      userId: user.id,
      permissions,
      effect: 'allow',
    };
    const id = await create(staff, '/api/v1/access-grants', allow);
    expect((await client.get(path)).status).toBe(200);
    expect((await client.patch(path, { subject: 'x' })).status).toBe(403);
    expect(await list(client, '/api/v1/tickets')).toEqual([own.ticket, other.ticket].sort((a, b) => a - b));
    expect(((await client.get('/api/v1/tickets')).body as { pagination: object }).pagination).toMatchObject({
      total: 2,
    });
    expect(await list(client, `${path}/comments`)).toEqual([other.comment]);
    const comment = await create(client, `${path}/comments`, { text: 'from outside' });
    await create(client, '/api/v1/comments', { ticketId: other.ticket, text: 'from outside, by the body' });
    expect((await client.get(`/api/v1/comments/${comment}`)).status).toBe(200);
    await staff.delete(`/api/v1/access-grants/${id}`);
    expect((await client.get(path)).status).toBe(404);
    await app.query(`delete from comments where text like 'from outside%'`);
  });

  it('are closed by a grant that denies, also within the own company', async () => {
    const user = await app.member('viewer', ACME);
    const client = await logIn(app.anonymous, user);
    const deny = {
      ...{ resourceType: 'ticket', resourceId: own.ticket, userId: user.id },
      ...{ permissions: ['read'], effect: 'deny' },
    };
    const id = await create(staff, '/api/v1/access-grants', deny);
    expect((await client.get(`/api/v1/tickets/${own.ticket}`)).status).toBe(403);
    const page = await client.get('/api/v1/tickets');
    expect(page.body).toMatchObject({ data: [], pagination: { total: 0 } });
    expect(await list(client, '/api/v1/comments')).toEqual([]);
    const refused = await client.post('/api/v1/comments', { ticketId: own.ticket, text: 'x' });
    expect(refused.status).toBe(422);
    await staff.delete(`/api/v1/access-grants/${id}`);
  });

  it('cannot be named by a manager of a company in a grant that allows', async () => {
    const self = await app.member('editor', ACME);
    const manager = await logIn(app.anonymous, self);
    const allow = { ...grant({ resourceId: own.ticket, userId: self.id }), effect: 'allow' };
    const id = await create(manager, '/api/v1/access-grants', allow);
    expect((await boreal.get(`/api/v1/access-grants/${id}`)).status).toBe(404);
    expect((await boreal.delete(`/api/v1/access-grants/${id}`)).status).toBe(404);
    expect((await manager.delete(`/api/v1/access-grants/${id}`)).status).toBe(204);
  });

  describe('after a user has left a company', () => {
    const COMMANDS: Record<string, (client: Client) => Promise<Response>> = {
      POST: (client) => client.post('/api/v1/tickets', { subject: 'x' }),
      PATCH: (client) => client.patch(`/api/v1/tickets/${own.ticket}`, { subject: 'x' }),
      DELETE: (client) => client.delete(`/api/v1/tickets/${own.ticket}`),
      'POST of a child': (client) => client.post('/api/v1/comments', { ticketId: own.ticket, text: 'x' }),
    };

    it.each(Object.entries(COMMANDS))('write nothing with an old token: %s', async (_, command) => {
      const user = await app.member('editor', ACME);
      const client = await logIn(app.anonymous, user);
      await app.query('update users set company_id = $1 where id = $2', [BOREAL, user.id]);
      const refused = await command(client);
      expect(refused.status).toBe(401);
      expect(refused.body).toMatchObject({ error: { code: 'INVALID_TOKEN' } });
      expect((await staff.get(`/api/v1/tickets/${own.ticket}`)).body).toMatchObject({ subject: 'acme' });
      const again = await logIn(app.anonymous, user);
      expect((await again.get(`/api/v1/tickets/${own.ticket}`)).status).toBe(404);
      expect((await again.get(`/api/v1/tickets/${other.ticket}`)).status).toBe(200);
    });

    it('see the rows of the new company with API keys and sessions at once', async () => {
      const user = await app.member('editor', ACME);
      const client = await logIn(app.anonymous, user);
      const key = (await client.post('/api/v1/api-keys', { name: 'key', permissions: ['read'] })).body as {
        key: string;
      };
      const { email, password } = user;
      const login = await app.anonymous.post('/api/v1/login', { email, password, scheme: 'session' });
      const cookie = login.headers.getSetCookie()[0]?.split(';')[0] ?? '';
      const schemes: Record<string, string>[] = [{ 'x-api-key': key.key }, { cookie }];
      for (const headers of schemes)
        expect(idsOf(await app.anonymous.get('/api/v1/tickets', headers))).toEqual([own.ticket]);
      await app.query('update users set company_id = $1 where id = $2', [BOREAL, user.id]);
      for (const headers of schemes)
        expect(idsOf(await app.anonymous.get('/api/v1/tickets', headers))).toEqual([other.ticket]);
    });

    it('cannot use cursors and idempotency keys of the old company', async () => {
      const user = await app.member('editor', ACME);
      const client = await logIn(app.anonymous, user);
      const extra = await create(client, '/api/v1/tickets', { subject: 'extra' });
      const page = (await client.get('/api/v1/tickets?cursor=&limit=1')).body as {
        pagination: { nextCursor: string };
      };
      const { nextCursor } = page.pagination;
      expect((await client.get(`/api/v1/tickets?limit=1&cursor=${nextCursor}`)).status).toBe(200);
      const key = { 'idempotency-key': 'moved' };
      const first = await client.post('/api/v1/tickets', { subject: 'once' }, key);
      await app.query('update users set company_id = $1 where id = $2', [BOREAL, user.id]);
      const again = await logIn(app.anonymous, user);
      const reused = await again.get(`/api/v1/tickets?limit=1&cursor=${nextCursor}`);
      expect(reused.body).toMatchObject({ error: { code: 'INVALID_CURSOR' } });
      const repeated = await again.post('/api/v1/tickets', { subject: 'once' }, key);
      expect(repeated.body).toMatchObject({ companyId: BOREAL });
      const ids = [extra, first.body, repeated.body].map((one) =>
        typeof one === 'number' ? one : (one as { id: number }).id,
      );
      await app.query('delete from tickets where id = any($1)', [ids]);
    });
  });
});
