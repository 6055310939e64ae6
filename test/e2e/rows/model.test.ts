import { InjectOptions } from 'fastify';

import { CompaniesApp, startCompanies } from '../../support/companies.js';
import { Random } from '../access/random.js';
import { Caller, Grant, Kind, Permission, Role, RowModel, ROLES, Verdict } from './model.js';

/** Set the seed and the number of steps to repeat a run. */
const SEED = Number(process.env['ROWS_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const STEPS = Number(process.env['ROWS_STEPS'] ?? 1_500);
const COMPANIES = 3;
const UNKNOWN = 999_999;
const PERMISSIONS = ['create', 'read', 'update', 'delete'] as const;
const PATHS: Readonly<Record<Kind, string>> = {
  ticket: 'tickets',
  comment: 'comments',
  reaction: 'reactions',
};

interface Credential {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  caller(): Caller;
}

interface Request {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  readonly wanted: (caller: Caller) => Verdict;
  readonly apply?: (body: { id: number; companyId: number; assigneeId: number | null }) => void;
}

/**
 * Sends random requests by users of random companies, who move between companies, under random grants. Each response must
 * match the model.
 */
describe('rows of companies, against their model', () => {
  let app: CompaniesApp;
  const random = new Random(SEED);
  const model = new RowModel();
  const credentials: Credential[] = [];
  const roles = new Map<number, Role>();
  const seen = new Set<string>();
  let root: Readonly<Record<string, string>>;

  beforeAll(async () => {
    app = await startCompanies(['acme', 'boreal', 'cirrus'], { LOGIN_RATE_LIMIT: '1000000' });
    for (let id = 1; id <= COMPANIES; id++) model.companies.add(id);
    for (const company of [1, 1, 2, 2, 3, null]) await addUser(random.pick(['editor', 'viewer']), company);
    await addUser('admin', null);
    // Not in the model, so that no grant denies this caller anything.
    const { email, password } = await app.member('admin', null);
    root = await tokenOf(email, password);
    await tend();
  });
  afterAll(() => app.stop());

  async function send(method: string, path: string, headers: object, payload?: object) {
    const options = { method, url: `/api/v1/${path}`, headers, payload } as InjectOptions;
    const { statusCode, body } = await app.app.nest.getHttpAdapter().getInstance().inject(options);
    return { status: statusCode, body: (body === '' ? undefined : JSON.parse(body)) as never };
  }

  async function addUser(role: Role, companyId: number | null): Promise<void> {
    const user = await app.member(role, companyId);
    const { id: userId, email, password } = user;
    roles.set(userId, role);
    model.users.set(userId, companyId);
    await logIn(userId, email, password);
    const { headers } = credentials.at(-1)!;
    const permissions = random.subset(ROLES[role]);
    const made = await send('POST', 'api-keys', headers, { name: 'key', permissions });
    const { key } = made.body as { key: string };
    credentials.push({
      name: `key of user ${userId} with ${permissions.join()}`,
      headers: { 'x-api-key': key },
      caller: () => ({ userId, role, permissions, companyId: model.users.get(userId)!, isKey: true }),
    });
    const basic = `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}`;
    if (role === 'admin') return;
    credentials.push({
      name: `password of user ${userId}`,
      headers: { authorization: basic },
      caller: () => ({ userId, role, permissions: ROLES[role], companyId: model.users.get(userId)! }),
    });
  }

  async function tokenOf(email: string, password: string) {
    const { body } = await send('POST', 'login', {}, { email, password, scheme: 'token' });
    const { accessToken } = body as { accessToken: string };
    return { authorization: `Bearer ${accessToken}` };
  }

  async function logIn(userId: number, email: string, password: string): Promise<void> {
    const companyId = model.users.get(userId)!;
    const role = roles.get(userId)!;
    credentials.push({
      name: `token of user ${userId}, issued in company ${companyId}`,
      headers: await tokenOf(email, password),
      caller: () => ({ userId, role, permissions: ROLES[role], companyId }),
    });
  }

  /** Keeps a minimum of rows of each kind and company. */
  async function tend(): Promise<void> {
    const { ticket, comment, reaction } = model.rows;
    while (ticket.size < 9) {
      const companyId = random.pick([1, 2, 3]);
      ticket.set(await make('tickets', { subject: 's', companyId }), companyId);
    }
    while (comment.size < 10) {
      const ticketId = random.pick([...ticket.keys()]);
      comment.set(await make('comments', { ticketId, text: 't' }), ticketId);
    }
    while (reaction.size < 8) {
      const commentId = random.pick([...comment.keys()]);
      reaction.set(await make('reactions', { commentId, kind: 'up' }), commentId);
    }
  }

  async function make(path: string, body: object): Promise<number> {
    const made = await send('POST', path, root, body);
    if (made.status !== 201) throw new Error(`${path}: ${JSON.stringify(made)}`);
    return (made.body as { id: number }).id;
  }

  function remove(kind: Kind, id: number): void {
    model.rows[kind].delete(id);
    const child = ({ ticket: 'comment', comment: 'reaction' } as const)[kind as 'ticket'] as Kind | undefined;
    for (const [other, parent] of child ? [...model.rows[child]] : [])
      if (parent === id && child) remove(child, other);
  }

  const changeTicket: Request['apply'] = ({ id, companyId, assigneeId }) => {
    model.rows.ticket.set(id, companyId);
    model.assignees.set(id, assigneeId);
  };

  const pick = (kind: Kind): number =>
    random.chance(0.08) ? UNKNOWN : random.pick([...model.rows[kind].keys(), UNKNOWN]);

  function anyRead(): Request {
    const kind = random.pick(['ticket', 'ticket', 'comment', 'comment', 'reaction'] as const);
    if (random.chance(0.5)) {
      const id = pick(kind);
      return {
        method: 'GET',
        path: `${PATHS[kind]}/${id}`,
        wanted: (caller) => model.row(caller, kind, 'read', id),
      };
    }
    const query = random.pick(['limit=100', 'limit=100&cursor=', 'limit=100&sort=id:asc']);
    const ticketId = random.chance(0.3) ? pick('ticket') : undefined;
    if (ticketId === undefined)
      return { method: 'GET', path: `${PATHS[kind]}?${query}`, wanted: (caller) => model.list(caller, kind) };
    const path = `tickets/${ticketId}/comments?${query}`;
    return { method: 'GET', path, wanted: (caller) => model.list(caller, 'comment', ticketId) };
  }

  function anyWrite(): Request {
    const what = random.next();
    const kind = random.pick(['ticket', 'comment', 'reaction'] as const);
    if (what < 0.2) {
      const id = pick(kind);
      return {
        ...{ method: 'DELETE', path: `${PATHS[kind]}/${id}` },
        wanted: (caller) => model.row(caller, kind, 'delete', id),
        apply: () => remove(kind, id),
      };
    }
    const assigneeId = random.pick([null, null, UNKNOWN, ...model.users.keys()]);
    if (what < 0.4) {
      const companyId = random.pick([1, 2, 3, UNKNOWN]);
      const isSent = random.chance(0.7);
      const body = { subject: 'x', assigneeId, ...(isSent && { companyId }) };
      return {
        ...{ method: 'POST', path: 'tickets', body },
        wanted: (caller) => model.createTicket(caller, isSent ? companyId : undefined, assigneeId),
        apply: changeTicket,
      };
    }
    const ticketId = pick('ticket');
    if (what < 0.55) {
      const isInPath = random.chance(0.5);
      const path = isInPath ? `tickets/${ticketId}/comments` : 'comments';
      return {
        ...{ method: 'POST', path, body: { text: 'x', ...(!isInPath && { ticketId }) } },
        wanted: (caller) => model.createComment(caller, ticketId, isInPath),
        apply: ({ id }) => void model.rows.comment.set(id, ticketId),
      };
    }
    if (what < 0.65) {
      const commentId = pick('comment');
      return {
        ...{ method: 'POST', path: 'reactions', body: { commentId, kind: 'up' } },
        wanted: (caller) => model.createReaction(caller, commentId),
        apply: ({ id }) => void model.rows.reaction.set(id, commentId),
      };
    }
    const id = pick('comment');
    if (what < 0.8)
      return {
        ...{ method: 'PATCH', path: `comments/${id}`, body: { ticketId, text: `${random.next()}` } },
        wanted: (caller) => model.moveComment(caller, id, ticketId),
        apply: () => void model.rows.comment.set(id, ticketId),
      };
    const companyId = random.pick([1, 2, 3, UNKNOWN]);
    const change = random.pick([{ companyId }, { assigneeId }, {}]);
    return {
      ...{ method: 'PATCH', path: `tickets/${ticketId}`, body: { ...change, subject: `${random.next()}` } },
      wanted: (caller) => model.changeTicket(caller, ticketId, change),
      apply: changeTicket,
    };
  }

  /** Changes that others make: users move to other companies, and grants come and go. */
  async function happen(): Promise<void> {
    if (random.chance(0.3)) {
      const [userId] = random.pick([...model.users].filter(([id]) => roles.get(id) !== 'admin'));
      const companyId = random.pick([1, 2, 3, null]);
      model.users.set(userId, companyId);
      await app.query('update users set company_id = $1 where id = $2', [companyId, userId]);
    } else if (model.grants.size < 8) {
      const grant: Grant = {
        userId: random.pick([...roles.keys()]),
        ticketId: random.pick([...model.rows.ticket.keys()]),
        permissions: random.subset<Permission>(PERMISSIONS),
        effect: random.pick(['allow', 'allow', 'deny']),
      };
      const { ticketId: resourceId, ...others } = grant;
      const id = await make('access-grants', { ...others, resourceType: 'ticket', resourceId });
      model.grants.set(id, grant);
    } else {
      const id = random.pick([...model.grants.keys()]);
      await send('DELETE', `access-grants/${id}`, root);
      model.grants.delete(id);
    }
  }

  async function step(request: Request): Promise<void> {
    const credential = random.pick(credentials);
    const caller = credential.caller();
    // Staff without a company must name one.
    if (caller.role === 'admin' && request.path === 'tickets' && !('companyId' in (request.body ?? {})))
      return;
    const wanted = request.wanted(caller);
    const { status, body } = await send(request.method, request.path, credential.headers, request.body);
    const got = [401, 403, 404, 422].includes(status) ? status : status < 300 ? 'done' : `${status}`;
    const problem = difference(wanted, got, body);
    const of = `${credential.name}: ${request.method} ${request.path} ${JSON.stringify(request.body ?? {})}`;
    const errors = app.log.filter(({ level }) => Number(level) >= 50).slice(-1);
    if (problem)
      throw new Error(
        `${of}: ${status} ${JSON.stringify(body)}: ${problem}\n${JSON.stringify([caller, [...model.grants.values()], [...model.rows.ticket], [...model.rows.comment], errors])}\nROWS_SEED=${SEED} repeats it`,
      );
    seen.add(
      `${request.method} ${request.path.replaceAll(/\d+/g, 'n').replace(/\?.*/, '')} ${typeof wanted === 'object' ? 'list' : wanted}`,
    );
    if (request.method !== 'GET' && got === 'done') request.apply?.(body);
  }

  function difference(wanted: Verdict, got: string | number, body: unknown): string | undefined {
    if (typeof wanted !== 'object') return got === wanted ? undefined : `not ${wanted}`;
    if (got !== 'done') return `not a list of ${wanted.join()}`;
    const { data, pagination } = body as { data: { id: number }[]; pagination: { total?: number } };
    const ids = data
      .map(({ id }) => id)
      .sort((a, b) => a - b)
      .join();
    const expected = [...wanted].sort((a, b) => a - b).join();
    if (ids !== expected) return `not the rows ${expected}`;
    const { total = wanted.length } = pagination;
    return total === wanted.length ? undefined : `not the total ${wanted.length}`;
  }

  it(`answers ${STEPS} random requests as the model says (seed ${SEED})`, async () => {
    for (let i = 0; i < STEPS; i++) {
      await step(random.chance(0.6) ? anyRead() : anyWrite());
      if (random.chance(0.1)) await happen();
      await tend();
    }
    // Makes sure that enough kinds of requests were sent: an empty model agrees with everything.
    expect(seen.size).toBeGreaterThan(45);
  }, 600_000);
});
