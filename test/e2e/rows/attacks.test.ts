import { Get, Module } from '@nestjs/common';
import {
  type AccessScope,
  Database,
  defineList,
  ListQuery,
  Page,
  PickOf,
  Resource,
  ResourceRepository,
  text,
  where,
} from '@plinth/core';
import { Answer, Client, errorOf, eventually, logIn } from '@plinth/dev/testing';
import pg from 'pg';

import { resolvePublicScope } from '../../../packages/core/src/access/resolve-scope.js';
import { Ticket } from '../../../packages/core/test/examples/companies/ticket.entity.js';
import { TICKETS } from '../../../packages/core/test/examples/companies/ticket.resource.js';
import { CompaniesApp, startCompanies } from '../../support/companies.js';

const [ACME, BOREAL] = [1, 2];
const UNKNOWN = 999_999;

class FoundDto extends PickOf(Ticket, ['id', 'subject', 'status']) {}

const foundList = defineList(Ticket, {
  name: 'found-tickets',
  filters: {
    word: where(
      text({ max: 30 }),
      (word, ticket) => `${ticket.subject} = ${word} or ${ticket.status} = ${word}`,
      { description: 'Returns only tickets with this subject or status.' },
    ),
  },
});

class FoundRepository extends ResourceRepository<Ticket> {
  constructor(database: Database) {
    super(database, TICKETS);
  }

  /** Returns the ids of the tickets that are not in a scope. */
  findOutside(scope: AccessScope): Promise<{ id: number }[]> {
    const values: unknown[] = [];
    const sql = `select id from tickets where not ${this.scopeSql(scope, values)} order by id`;
    return this.database.query({ text: sql, values });
  }
}

@Resource({ ...TICKETS, path: 'found-tickets', version: '1', responseDto: FoundDto })
class FoundController {
  private readonly tickets: FoundRepository;

  constructor(database: Database) {
    this.tickets = new FoundRepository(database);
  }

  @Get()
  list(@ListQuery(foundList) query: ListQuery): Promise<Page<Ticket>> {
    return this.tickets.list(query);
  }
}

@Module({ controllers: [FoundController] })
class FoundModule {}

describe('somebody of another company', () => {
  let app: CompaniesApp;
  let acme: Client;
  let staff: Client;
  const own = { ticket: 0 };
  const other = { ticket: 0, user: 0 };

  beforeAll(async () => {
    app = await startCompanies(['acme', 'boreal'], {}, [FoundModule]);
    acme = await app.asMember('editor', ACME);
    staff = await app.asMember('admin', null);
    own.ticket = await create(staff, { subject: 'acme', companyId: ACME });
    other.ticket = await create(staff, { subject: 'boreal', companyId: BOREAL });
    other.user = (await app.member('viewer', BOREAL)).id;
  });
  afterAll(() => app.stop());

  async function create(client: Client, body: object): Promise<number> {
    const made = await client.post('/api/v1/tickets', body);
    if (made.status !== 201) throw new Error(made.text);
    return (made.body as { id: number }).id;
  }

  const idsOf = ({ body }: Answer): number[] => (body as { data: { id: number }[] }).data.map(({ id }) => id);

  /** Holds a transaction open, in which some statements have run, while `work` runs. Then commits it. */
  async function whileOpen<T>(
    statements: readonly string[],
    work: (commit: () => Promise<unknown>, db: pg.Client) => Promise<T>,
  ): Promise<T> {
    const db = new pg.Client({ connectionString: app.databaseUrl });
    await db.connect();
    try {
      await db.query('begin');
      for (const statement of statements) await db.query(statement);
      return await work(() => db.query('commit'), db);
    } finally {
      await db.end();
    }
  }

  describe('cannot become somebody who sees more', () => {
    const role = 'admin';
    const password = 'a long passphrase';

    it('by adding a user of a staff role', async () => {
      const body = { email: 'spy@example.com', password, role };
      expect(errorOf(await acme.post('/api/v1/users', body))).toBe('403 PERMISSION_DENIED');
      expect((await acme.post('/api/v1/users', { ...body, role: 'editor' })).status).toBe(201);
      expect((await staff.post('/api/v1/users', { ...body, email: 'boss@example.com' })).status).toBe(201);
    });

    it('by giving a staff role to themself or to a colleague', async () => {
      const self = await app.member('editor', ACME);
      const colleague = await app.member('viewer', ACME);
      const client = await logIn(app.anonymous, self);
      for (const { id } of [self, colleague])
        expect(errorOf(await client.patch(`/api/v1/users/${id}`, { role }))).toBe('403 PERMISSION_DENIED');
      expect((await client.patch(`/api/v1/users/${colleague.id}`, { role: 'editor' })).status).toBe(200);
      expect((await staff.patch(`/api/v1/users/${colleague.id}`, { role })).status).toBe(200);
    });

    it('by taking over or deleting a colleague of a staff role', async () => {
      const { id } = await app.member('admin', ACME);
      for (const change of [{ password }, { email: 'mine@example.com' }, { role: 'viewer' }])
        expect(errorOf(await acme.patch(`/api/v1/users/${id}`, change))).toBe('403 PERMISSION_DENIED');
      expect(errorOf(await acme.delete(`/api/v1/users/${id}`))).toBe('403 PERMISSION_DENIED');
      expect((await acme.patch(`/api/v1/users/${id}`, { name: 'Renamed' })).status).toBe(200);
    });
  });

  it('cannot delete a colleague of a staff role, who can delete themself', async () => {
    const boss = await app.member('admin', ACME);
    const path = `/api/v1/users/${boss.id}`;
    expect(errorOf(await acme.delete(path))).toBe('403 PERMISSION_DENIED');
    expect((await staff.get(path)).status).toBe(200);
    const colleague = await app.member('editor', ACME);
    expect((await acme.delete(`/api/v1/users/${colleague.id}`)).status).toBe(204);
    const client = await logIn(app.anonymous, boss);
    expect((await client.delete(path)).status).toBe(204);
  });

  it('does not join the company of the caller by registering, unless the caller manages users', async () => {
    const viewer = await app.asMember('viewer', ACME);
    const body = { email: 'friend@example.com', password: 'a long passphrase' };
    const made = await viewer.post('/api/v1/users', body);
    expect(made.body).toMatchObject({ companyId: null });
  });

  it('finds no row by a filter whose SQL contains `or`', async () => {
    for (const word of ['open', 'boreal', 'acme']) {
      const page = await acme.get(`/api/v1/found-tickets?word=${word}`);
      expect(idsOf(page)).toEqual(word === 'boreal' ? [] : [own.ticket]);
    }
    expect(idsOf(await staff.get('/api/v1/found-tickets?word=open')).length).toBe(2);
  });

  it('gets a condition that a query of the application can negate', async () => {
    const tickets = new FoundRepository(app.app.nest.get(Database));
    const except = [{ property: 'id', ids: [own.ticket] }];
    const principal = { userId: 1, role: 'viewer', permissions: new Set(), attributes: { companyId: ACME } };
    const scope = { ...resolvePublicScope(TICKETS, principal as never), except };
    const all = [own.ticket, other.ticket].sort((a, b) => a - b);
    expect((await tickets.findOutside(scope)).map(({ id }) => id)).toEqual(all);
  });

  it('does not notice that another request has locked a user', async () => {
    await whileOpen([`select from users where id = ${other.user} for update`], async () => {
      for (const send of ['patch', 'delete'] as const) {
        const path = `/api/v1/users/${other.user}`;
        const answer = await (send === 'patch' ? acme.patch(path, { name: 'x' }) : acme.delete(path));
        expect(answer.status).toBe(404);
      }
    });
  });

  it('gets no response of the time when they were staff', async () => {
    const user = await app.member('admin', ACME);
    const key = { 'idempotency-key': 'as-staff' };
    const body = { subject: 'secret', companyId: BOREAL };
    const first = await (await logIn(app.anonymous, user)).post('/api/v1/tickets', body, key);
    expect(first.status).toBe(201);
    await app.query(`update users set role = 'editor' where id = $1`, [user.id]);
    const again = await (await logIn(app.anonymous, user)).post('/api/v1/tickets', body, key);
    expect(errorOf(again)).toBe('422 UNPROCESSABLE_ENTITY');
    await app.query('delete from tickets where subject = $1', ['secret']);
  });

  it('writes nothing with a token of the time when they were staff', async () => {
    const user = await app.member('admin', ACME);
    const client = await logIn(app.anonymous, user);
    await app.query(`update users set role = 'editor' where id = $1`, [user.id]);
    const body = { subject: 'x' };
    const operations = [{ method: 'update', id: other.ticket, body }];
    expect((await client.patch(`/api/v1/tickets/${other.ticket}`, body)).status).toBe(401);
    expect((await client.post('/api/v1/tickets', { ...body, companyId: BOREAL })).status).toBe(401);
    expect((await client.post('/api/v1/tickets/batch', { operations })).status).toBe(401);
    expect((await client.delete(`/api/v1/tickets/${other.ticket}`)).status).toBe(401);
  });

  it('writes nothing if they leave while a batch runs', async () => {
    const user = await app.member('editor', ACME);
    const client = await logIn(app.anonymous, user);
    const body = { subject: 'late' };
    const operations = [
      { method: 'create', body },
      { method: 'update', id: own.ticket, body },
    ];
    const leave = `update users set company_id = ${BOREAL} where id = ${user.id}`;
    const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
    const answer = await whileOpen([leave], async (commit) => {
      const sent = client.post('/api/v1/tickets/batch', { operations });
      await eventually(async () => (await app.query(waiting)).length > 0, true, 30_000);
      await commit();
      return sent;
    });
    expect(errorOf(answer)).toBe('401 INVALID_TOKEN');
    expect(await app.query(`select from tickets where subject = 'late'`)).toEqual([]);
  });

  it('cannot use cursors of staff and of other companies', async () => {
    await create(staff, { subject: 'second', companyId: BOREAL });
    await create(staff, { subject: 'second', companyId: ACME });
    const boreal = await app.asMember('viewer', BOREAL);
    for (const client of [staff, boreal]) {
      const { pagination } = (await client.get('/api/v1/tickets?cursor=&limit=1')).body as {
        pagination: { nextCursor: string };
      };
      const path = `/api/v1/tickets?limit=1&cursor=${pagination.nextCursor}`;
      expect((await client.get(path)).status).toBe(200);
      expect(errorOf(await acme.get(path))).toBe('400 INVALID_CURSOR');
    }
    await app.query(`delete from tickets where subject = 'second'`);
  });

  it('counts no rows without a company', async () => {
    const nobody = await app.asMember('viewer', null);
    for (const query of ['', '?status=open', `?companyId=${BOREAL}`, '?q=boreal', '?page=7'])
      expect((await nobody.get(`/api/v1/tickets${query}`)).body).toMatchObject({
        data: [],
        pagination: { total: 0 },
      });
  });

  /** Conditions of a request, which must not be evaluated for a row that does not concern the caller. */
  const CONDITIONS: readonly Record<string, string>[] = [
    { 'if-match': '*' },
    { 'if-match': '"x"' },
    { 'if-none-match': '*' },
    { 'if-modified-since': 'Fri, 31 Dec 2099 23:59:59 GMT' },
    { 'if-unmodified-since': 'Sat, 01 Jan 2000 00:00:00 GMT' },
    { accept: 'text/csv' },
  ];

  it.each(CONDITIONS)('gets the same answer as for an unknown row with %j', async (headers) => {
    const answers = async (id: number): Promise<string[]> => {
      const path = `/api/v1/tickets/${id}`;
      const all = [
        await acme.get(path, headers),
        await acme.head(path, headers),
        await acme.get(`${path}/comments`, headers),
        await acme.get(`${path}/comments?page=3`, headers),
        await acme.get(`${path}/comments?cursor=`, headers),
        await acme.patch(path, { subject: 'x' }, headers),
        await acme.delete(path, headers),
      ];
      return all.map(({ status, headers: sent, text: body }) =>
        `${status} ${sent.get('etag')} ${body.replaceAll(String(id), '<id>')}`.replace(
          /"requestId":"[^"]*"/,
          '',
        ),
      );
    };
    expect(await answers(other.ticket)).toEqual(await answers(UNKNOWN));
  });
});
