import { Answer, Client, errorOf, faultsOf, logIn } from '@plinth/dev/testing';

import { resolvePublicScope } from '../../../packages/core/src/access/resolve-scope.js';
import { ACCESS_GRANTS } from '../../../packages/core/src/grants/grant.resource.js';
import { GrantsRepository } from '../../../packages/core/src/grants/grants.repository.js';
import { Database } from '../../../packages/core/src/database/database.js';
import { TICKETS } from '../../../packages/core/test/examples/companies/ticket.resource.js';
import { CompaniesApp, startCompanies } from '../../support/companies.js';

const [ACME, BOREAL] = [1, 2];

/** Somebody of Acme holds a grant on a row of Boreal, and tries to make more of it. */
describe('a grant on a row of another company', () => {
  let app: CompaniesApp;
  let staff: Client;
  const own = { ticket: 0, comment: 0 };
  const other = { ticket: 0, comment: 0, user: 0 };

  beforeAll(async () => {
    app = await startCompanies(['acme', 'boreal']);
    staff = await app.asMember('admin', null);
    Object.assign(own, await threadOf(ACME));
    Object.assign(other, await threadOf(BOREAL), { user: (await app.member('viewer', BOREAL)).id });
  });
  afterAll(() => app.stop());

  async function create(client: Client, path: string, body: object): Promise<number> {
    const made = await client.post(`/api/v1/${path}`, body);
    if (made.status !== 201) throw new Error(`${path}: ${made.text}`);
    return (made.body as { id: number }).id;
  }

  async function threadOf(companyId: number): Promise<typeof own> {
    const ticket = await create(staff, 'tickets', { subject: 's', companyId });
    return { ticket, comment: await create(staff, 'comments', { ticketId: ticket, text: 't' }) };
  }

  /** Returns a user of Acme, with a client, whom staff allow something on a row of Boreal. */
  async function holderOf(
    permissions: readonly string[],
    role: 'editor' | 'viewer' = 'editor',
    resourceType: 'ticket' | 'user' = 'ticket',
  ): Promise<{ id: number; client: Client }> {
    const user = await app.member(role, ACME);
    const resourceId = other[resourceType];
    const given = { resourceType, resourceId, userId: user.id, permissions, effect: 'allow' };
    await create(staff, 'access-grants', given);
    return { id: user.id, client: await logIn(app.anonymous, user) };
  }

  it.each(['the holder', 'a colleague'])('cannot be passed on to %s', async (whom) => {
    const { id, client } = await holderOf(['read', 'create', 'update']);
    const userId = whom === 'the holder' ? id : (await app.member('viewer', ACME)).id;
    const given = { resourceType: 'ticket', userId, permissions: ['delete'], effect: 'allow' };
    const refused = await client.post('/api/v1/access-grants', { ...given, resourceId: other.ticket });
    expect(errorOf(refused)).toBe('422 UNPROCESSABLE_ENTITY');
    expect(faultsOf(refused)).toEqual(['resourceId NOT_ALLOWED']);
    expect((await client.post('/api/v1/access-grants', { ...given, resourceId: own.ticket })).status).toBe(
      201,
    );
  });

  it('on a user does not allow to give that user anything', async () => {
    const { client } = await holderOf(['read', 'create', 'update'], 'editor', 'user');
    const given = { resourceType: 'ticket', resourceId: own.ticket, permissions: ['read'], effect: 'allow' };
    const refused = await client.post('/api/v1/access-grants', { ...given, userId: other.user });
    expect(errorOf(refused)).toBe('422 UNPROCESSABLE_ENTITY');
  });

  it('on a user lets a manager change the name, but not the password, the e-mail or the role', async () => {
    const { client } = await holderOf(['read', 'update'], 'editor', 'user');
    const path = `/api/v1/users/${other.user}`;
    expect((await client.patch(path, { name: 'Renamed' })).status).toBe(200);
    const changes = [{ password: 'a long passphrase' }, { email: 'mine@example.com' }, { role: 'editor' }];
    for (const change of changes)
      expect(errorOf(await client.patch(path, change))).toBe('403 PERMISSION_DENIED');
  });

  /** Writes that would make a row belong to the ticket of Boreal. */
  const CHILDREN: Record<string, (client: Client) => Promise<Answer>> = {
    'a comment below its path': (client) =>
      client.post(`/api/v1/tickets/${other.ticket}/comments`, { text: 'x' }),
    'a comment that names it': (client) =>
      client.post('/api/v1/comments', { ticketId: other.ticket, text: 'x' }),
    'a comment that moves to it': (client) =>
      client.patch(`/api/v1/comments/${own.comment}`, { ticketId: other.ticket }),
    'a reaction to a comment on it': (client) =>
      client.post('/api/v1/reactions', { commentId: other.comment, kind: 'up' }),
  };

  it.each(Object.entries(CHILDREN))('to read a ticket does not allow %s', async (_, write) => {
    const { client } = await holderOf(['read'], 'viewer');
    expect((await client.get(`/api/v1/tickets/${other.ticket}/comments`)).status).toBe(200);
    expect(errorOf(await write(client))).toBe('422 UNPROCESSABLE_ENTITY');
    const counted = `select count(*)::int as count from comments where ticket_id = $1`;
    expect(await app.query(counted, [other.ticket])).toEqual([{ count: 1 }]);
  });

  it('to update a ticket does not allow to take it, or what belongs to it, to the own company', async () => {
    const { client } = await holderOf(['read', 'update'], 'viewer');
    const ticket = `/api/v1/tickets/${other.ticket}`;
    const comment = `/api/v1/comments/${other.comment}`;
    for (const companyId of [ACME, 999_999])
      expect(faultsOf(await client.patch(ticket, { companyId, subject: 'x' }))).toEqual([
        'companyId NOT_ALLOWED',
      ]);
    expect(faultsOf(await client.put(ticket, { companyId: ACME, subject: 'x' }))).toEqual([
      'companyId NOT_ALLOWED',
    ]);
    expect(faultsOf(await client.patch(comment, { ticketId: own.ticket, text: 'x' }))).toEqual([
      'ticketId NOT_ALLOWED',
    ]);
    const kept = await client.patch(ticket, { companyId: BOREAL, subject: 'changed' });
    expect(kept.body).toMatchObject({ companyId: BOREAL, subject: 'changed' });
    expect((await client.patch(ticket, { companyId: BOREAL })).status).toBe(200);
    const text = await client.patch(comment, { ticketId: other.ticket, text: 'changed' });
    expect(text.body).toMatchObject({ ticketId: other.ticket, text: 'changed' });
  });

  it('lets a user without a company refer to themself, and to nobody else', async () => {
    const user = await app.member('viewer', null);
    const given = { resourceType: 'ticket', resourceId: other.ticket, userId: user.id, effect: 'allow' };
    await create(staff, 'access-grants', { ...given, permissions: ['read', 'update'] });
    const client = await logIn(app.anonymous, user);
    const path = `/api/v1/tickets/${other.ticket}`;
    expect((await client.patch(path, { assigneeId: other.user })).status).toBe(422);
    expect((await client.patch(path, { assigneeId: user.id })).body).toMatchObject({ assigneeId: user.id });
  });

  it('cannot be given by a manager on a type that no resource declares as its own', async () => {
    const grants = app.app.nest.get(GrantsRepository);
    const database = app.app.nest.get(Database);
    const scopeOf = (role: string) =>
      resolvePublicScope(ACCESS_GRANTS, {
        ...{ kind: 'user', userId: 1, keyId: null, loginId: null, scheme: 'basic', role },
        ...{ permissions: new Set(), attributes: { companyId: ACME } },
      } as never);
    const concerns = (type: string, id: number, role = 'editor'): Promise<boolean> =>
      grants.concernsCaller(type as never, id, scopeOf(role), database);
    const sources = TICKETS.grants as object[];
    sources.push({ type: 'company', property: 'companyId', parameter: 'companyId' });
    try {
      expect(await concerns('company', BOREAL)).toBe(false);
      expect(await concerns('company', BOREAL, 'admin')).toBe(true);
      expect(await concerns('ticket', own.ticket)).toBe(true);
      expect(await concerns('ticket', other.ticket)).toBe(false);
    } finally {
      sources.pop();
    }
  });

  it('applies to what belongs to the ticket, to any depth', async () => {
    const reaction = await create(staff, 'reactions', { commentId: other.comment, kind: 'up' });
    const { id, client } = await holderOf(['read', 'update', 'delete']);
    const path = `/api/v1/reactions/${reaction}`;
    expect((await client.get(path)).body).toMatchObject({ id: reaction });
    const list = await client.get(`/api/v1/reactions?page=1&commentId=${other.comment}`);
    expect(list.body).toMatchObject({ data: [{ id: reaction }], pagination: { total: 1 } });
    const stranger = await app.asMember('editor', ACME);
    expect(errorOf(await stranger.get(path))).toBe('404 REACTION_NOT_FOUND');
    const denial = { resourceType: 'ticket', resourceId: other.ticket, permissions: ['read'] };
    await create(staff, 'access-grants', { ...denial, userId: id, effect: 'deny' });
    const hidden = await client.get(`/api/v1/reactions?page=1&commentId=${other.comment}`);
    expect(hidden.body).toMatchObject({ data: [], pagination: { total: 0 } });
    expect(errorOf(await client.delete(path))).toBe('403 PERMISSION_DENIED');
    const boreal = await app.asMember('editor', BOREAL);
    expect((await boreal.delete(path)).status).toBe(204);
  });
});

describe('a grant that denies an action on a ticket', () => {
  let app: CompaniesApp;
  let editor: Client;
  let userId: number;

  beforeAll(async () => {
    app = await startCompanies(['acme']);
    const user = await app.member('editor', ACME);
    userId = user.id;
    editor = await logIn(app.anonymous, user);
  });
  afterAll(() => app.stop());

  it.each(['create', 'update'])('covers what would belong to the ticket: %s', async (permission) => {
    const staff = await app.asMember('admin', null);
    const make = async (path: string, body: object): Promise<number> =>
      ((await staff.post(`/api/v1/${path}`, body)).body as { id: number }).id;
    const ticketOf = () => make('tickets', { subject: 's', companyId: ACME });
    const [ticketId, free] = [await ticketOf(), await ticketOf()];
    const commentId = await make('comments', { ticketId, text: 't' });
    const moving = await make('comments', { ticketId: free, text: 't' });
    const denial = { resourceType: 'ticket', resourceId: ticketId, permissions: [permission] };
    await make('access-grants', { ...denial, userId, effect: 'deny' });
    const writes = {
      create: [
        () => editor.post('/api/v1/comments', { ticketId, text: 't' }),
        () => editor.post('/api/v1/reactions', { commentId, kind: 'up' }),
      ],
      update: [() => editor.patch(`/api/v1/comments/${moving}`, { ticketId })],
    };
    for (const [name, sends] of Object.entries(writes))
      for (const send of sends) {
        const { status } = await send();
        expect([name, status < 300]).toEqual([name, name !== permission]);
      }
    const kept = await editor.post('/api/v1/comments', { ticketId: free, text: 't' });
    expect(kept.status).toBe(201);
  });
});

/** Users of a company share its tickets by a route of the application, without `manage_users`. */
describe('a ticket that a user shares', () => {
  let app: CompaniesApp;
  let ticket: number;
  let foreignTicket: number;
  let editor: Client;

  beforeAll(async () => {
    app = await startCompanies(['acme', 'boreal']);
    const staff = await app.asMember('admin', null);
    const create = async (companyId: number): Promise<number> =>
      ((await staff.post('/api/v1/tickets', { subject: 's', companyId })).body as { id: number }).id;
    ticket = await create(ACME);
    foreignTicket = await create(BOREAL);
    editor = await app.asMember('editor', ACME);
  });
  afterAll(() => app.stop());

  it('can be deleted by the user with whom it is shared, until it is no longer shared', async () => {
    const user = await app.member('viewer', ACME);
    const viewer = await logIn(app.anonymous, user);
    const remove = () => viewer.delete(`/api/v1/tickets/${ticket}`, { 'if-match': '"no"' });
    expect(errorOf(await remove())).toBe('403 PERMISSION_DENIED');
    const share = `/api/v1/tickets/${ticket}/shares/${user.id}`;
    for (let times = 0; times < 2; times++) expect((await editor.put(share, undefined)).status).toBe(204);
    const held = 'select permissions from access_grants where user_id = $1';
    expect(await app.query(held, [user.id])).toHaveLength(1);
    expect(errorOf(await remove())).toBe('412 PRECONDITION_FAILED');
    expect((await editor.delete(share)).status).toBe(204);
    expect(await app.query(held, [user.id])).toEqual([]);
    expect(errorOf(await remove())).toBe('403 PERMISSION_DENIED');
  });

  it.each(['of another company', 'who does not exist'])('cannot be shared with a user %s', async (which) => {
    const id = which === 'who does not exist' ? 999_999 : (await app.member('viewer', BOREAL)).id;
    const refused = await editor.put(`/api/v1/tickets/${ticket}/shares/${id}`, undefined);
    expect(errorOf(refused)).toBe('422 UNPROCESSABLE_ENTITY');
  });

  it('must be a ticket of the own company', async () => {
    const { id } = await app.member('viewer', ACME);
    const paths = [foreignTicket, 999_999].map((one) => `/api/v1/tickets/${one}/shares/${id}`);
    for (const path of paths)
      for (const request of [editor.put(path, undefined), editor.delete(path)])
        expect(errorOf(await request)).toBe('404 TICKET_NOT_FOUND');
  });

  it('gives no permission that the one who shares it lacks', async () => {
    const viewer = await app.asMember('viewer', ACME);
    const { id } = await app.member('viewer', ACME);
    expect(errorOf(await viewer.put(`/api/v1/tickets/${ticket}/shares/${id}`, undefined))).toBe(
      '403 PERMISSION_DENIED',
    );
  });

  it('cannot be shared by a user to whom only a grant opens it', async () => {
    const holder = await app.member('editor', BOREAL);
    const staff = await app.asMember('admin', null);
    const given = { resourceType: 'ticket', resourceId: ticket, userId: holder.id, effect: 'allow' };
    await staff.post('/api/v1/access-grants', { ...given, permissions: ['read', 'update', 'delete'] });
    const client = await logIn(app.anonymous, holder);
    const colleague = await app.member('viewer', BOREAL);
    const refused = await client.put(`/api/v1/tickets/${ticket}/shares/${colleague.id}`, undefined);
    expect(errorOf(refused)).toBe('422 UNPROCESSABLE_ENTITY');
    expect(faultsOf(refused)).toEqual(['resourceId NOT_ALLOWED']);
  });
});
