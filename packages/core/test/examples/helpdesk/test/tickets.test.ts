import { Answer, errorOf, faultsOf } from '@plinth/dev/testing';

import { TICKET_STATUSES, type TicketStatus } from '../src/tickets/ticket-status.js';
import { addTicket, Desk, Member, startDesk } from './desk.js';

const TICKETS = '/api/v1/tickets';
const idsOf = ({ body }: Answer): number[] => (body as { data: { id: number }[] }).data.map(({ id }) => id);
const idIn = (path: string): number => Number(path.split('/').at(-1));

let desk: Desk;
let agent: Member;
let acme: Member;
let boreal: Member;

beforeAll(async () => {
  desk = await startDesk();
  agent = await desk.member('agent');
  [acme, boreal] = [
    await desk.member('customer', desk.companies[0]),
    await desk.member('customer', desk.companies[1]),
  ];
});
afterAll(() => desk.stop());

/** Adds a ticket, and moves it to a status. */
async function ticketIn(status: TicketStatus, values: object = {}): Promise<string> {
  const path = await addTicket(acme, values);
  if (status !== 'open') await agent.client.patch(path, { status });
  return path;
}

describe('users and companies', () => {
  it('are added by administrators', async () => {
    const { client } = await desk.member('admin');
    const [companyId] = desk.companies;
    const body = { email: 'eve@example.com', role: 'customer', companyId, password: 'correct horse battery' };
    expect((await client.post('/api/v1/users', body)).body).toMatchObject({ role: 'customer', companyId });
    expect(errorOf(await agent.client.post('/api/v1/users', { ...body, email: 'b@example.com' }))).toBe(
      '403 PERMISSION_DENIED',
    );
    expect(errorOf(await desk.anonymous.post('/api/v1/users', body))).toBe('401 AUTHENTICATION_REQUIRED');
  });

  it('are shown to customers only if they are their own', async () => {
    const guest = await desk.member('customer');
    expect((await guest.client.get(`/api/v1/users/${guest.id}`)).body).toMatchObject({ id: guest.id });
    expect(idsOf(await acme.client.get('/api/v1/companies'))).toEqual([desk.companies[0]]);
    expect(errorOf(await acme.client.get(`/api/v1/companies/${desk.companies[1]}`))).toBe(
      '404 COMPANY_NOT_FOUND',
    );
    expect((await agent.client.post('/api/v1/companies', { name: 'Cirrus' })).status).toBe(201);
    expect(errorOf(await agent.client.post('/api/v1/companies', { name: 'CIRRUS' }))).toBe(
      '409 COMPANY_ALREADY_EXISTS',
    );
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('are not written by customers: %s', async (method) => {
    const path = method === 'POST' ? '/api/v1/companies' : `/api/v1/companies/${desk.companies[0]}`;
    const body = method === 'DELETE' ? undefined : { name: 'Cirrus' };
    expect(errorOf(await acme.client.request(method, path, { body }))).toBe('403 PERMISSION_DENIED');
  });

  it('give agents a rate limit of their own', async () => {
    expect((await agent.client.get(TICKETS)).headers.get('x-ratelimit-limit')).toBe('3000');
    expect((await acme.client.get(TICKETS)).headers.get('x-ratelimit-limit')).toBe('1000000');
  });
});

describe('tickets of a company', () => {
  it('get the company of the customer', async () => {
    const { body } = await acme.client.get(await addTicket(acme));
    expect(body).toMatchObject({ companyId: desk.companies[0], status: 'open', assigneeId: null, tags: [] });
    const foreign = { companyId: desk.companies[1], subject: 'a', description: 'b' };
    expect(faultsOf(await acme.client.post(TICKETS, foreign))).toEqual(['companyId NOT_ALLOWED']);
  });

  it.each([
    ['GET', '', undefined, '404 TICKET_NOT_FOUND'],
    ['GET', '/comments', undefined, '404 TICKET_NOT_FOUND'],
    ['POST', '/comments', { text: 'x' }, '404 TICKET_NOT_FOUND'],
    ['GET', '/comments/:comment', undefined, '404 COMMENT_NOT_FOUND'],
    ['GET', '/attachments', undefined, '404 TICKET_NOT_FOUND'],
    ['GET', '/attachments/1', undefined, '404 ATTACHMENT_NOT_FOUND'],
  ])('do not exist for other companies: %s %s', async (method, suffix, body, expected) => {
    const path = await addTicket(acme);
    const comment = (await acme.client.post(`${path}/comments`, { text: 'x' })).body as { id: number };
    const other = path + suffix.replace(':comment', `${comment.id}`);
    expect(errorOf(await boreal.client.request(method, other, { body }))).toBe(expected);
    expect(idsOf(await boreal.client.get(`${TICKETS}?limit=100`))).not.toContain(idIn(path));
    expect(idsOf(await acme.client.get(`${TICKETS}?limit=100`))).toContain(idIn(path));
    expect(idsOf(await agent.client.get(`${TICKETS}?limit=100`))).toContain(idIn(path));
  });

  it('change only by the desk', async () => {
    const path = await addTicket(acme);
    expect(errorOf(await acme.client.patch(path, { status: 'solved' }))).toBe('403 PERMISSION_DENIED');
    const changes = { assigneeId: agent.id, tags: ['lamps', 'vip'], dueOn: '2026-12-24' };
    const changed = await agent.client.patch(path, changes);
    expect(changed.body).toMatchObject(changes);
    expect(errorOf(await agent.client.patch(path, { subject: 'x' }, { 'if-match': '"old"' }))).toBe(
      '412 PRECONDITION_FAILED',
    );
    for (const query of ['tag=vip&tag=lamps', 'dueBy=2026-12-24', `assigneeId=${agent.id}`])
      expect(idsOf(await acme.client.get(`${TICKETS}?${query}`))).toEqual([idIn(path)]);
    expect(idsOf(await acme.client.get(`${TICKETS}?tag=lamps&dueBy=2026-12-23`))).toEqual([]);
  });

  it('can be assigned only to people of the desk', async () => {
    const path = await addTicket(acme);
    for (const assigneeId of [acme.id, 999_999])
      expect(errorOf(await agent.client.patch(path, { assigneeId }))).toBe('422 ASSIGNEE_NOT_AGENT');
  });
});

describe('the status of a ticket', () => {
  const ALLOWED = ['open → waiting', 'open → solved', 'waiting → open', 'waiting → solved', 'solved → open'];
  const moves = TICKET_STATUSES.flatMap((from) => TICKET_STATUSES.map((to) => [from, to] as const));

  it.each(moves)('changes only as the desk works: %s → %s', async (from, to) => {
    const path = await ticketIn(from);
    const moved = await agent.client.patch(path, { status: to });
    const isAllowed = from === to || ALLOWED.includes(`${from} → ${to}`);
    if (!isAllowed) expect(errorOf(moved)).toBe('409 INVALID_STATUS_TRANSITION');
    else
      expect(moved.body).toMatchObject({ status: to, solvedAt: to === 'solved' ? expect.any(String) : null });
  });
});

describe('an archived ticket', () => {
  it('must be solved', async () => {
    const path = await ticketIn('open');
    expect(errorOf(await agent.client.post(`${path}/archive`, undefined))).toBe('409 TICKET_NOT_SOLVED');
    expect(errorOf(await acme.client.post(`${path}/archive`, undefined))).toBe('403 PERMISSION_DENIED');
  });

  it('leaves the list, and cannot change', async () => {
    const path = await ticketIn('solved');
    const archived = await agent.client.post(`${path}/archive`, undefined);
    expect([archived.status, archived.body]).toMatchObject([200, { isArchived: true }]);
    expect((await agent.client.post(`${path}/archive`, undefined)).body).toEqual(archived.body);
    expect(idsOf(await acme.client.get(`${TICKETS}?limit=100`))).not.toContain(idIn(path));
    expect(idsOf(await acme.client.get(`${TICKETS}?isArchived=true`))).toEqual([idIn(path)]);
    expect(idsOf(await boreal.client.get(`${TICKETS}?isArchived=true`))).toEqual([]);
    expect((await acme.client.get(path)).status).toBe(200);
    expect(errorOf(await acme.client.post(`${path}/comments`, { text: 'x' }))).toBe('409 TICKET_ARCHIVED');
    expect(errorOf(await agent.client.patch(path, { status: 'open' }))).toBe('409 TICKET_ARCHIVED');
  });
});

describe('comments', () => {
  it('tell who wrote them, and whether the desk did', async () => {
    const path = await addTicket(acme);
    const asked = await acme.client.post(`${path}/comments`, { text: 'Any news?' });
    const answered = await agent.client.post(`${path}/comments`, { text: 'Soon.' });
    expect(asked.body).toMatchObject({ ticketId: idIn(path), authorId: acme.id, fromDesk: false });
    expect(answered.body).toMatchObject({ authorId: agent.id, fromDesk: true, text: 'Soon.' });
    const { body } = await acme.client.get(`${path}/comments?sort=createdAt:asc`);
    expect(body).toMatchObject({
      data: [{ text: 'Any news?' }, { text: 'Soon.' }],
      pagination: { total: 2 },
    });
    expect((await acme.client.get(answered.headers.get('location')!)).body).toEqual(answered.body);
  });
});

describe('the report', () => {
  /** Adds a ticket of the second company, with answers of the desk after some minutes. */
  async function answeredAfter(status: TicketStatus, ...minutes: number[]): Promise<void> {
    const path = await addTicket(boreal);
    await agent.client.patch(path, { assigneeId: agent.id });
    if (status !== 'open') await agent.client.patch(path, { status });
    await boreal.client.post(`${path}/comments`, { text: 'Not an answer.' });
    for (const after of minutes)
      await desk.query(
        `insert into comments (ticket_id, text, from_desk, created_at)
         select id, 'x', true, created_at + make_interval(mins => $2) from tickets where id = $1`,
        [idIn(path), after],
      );
  }

  it('counts the tickets of the caller’s company, with the median time to the first answer', async () => {
    await answeredAfter('open', 10);
    await answeredAfter('open', 30, 90);
    await answeredAfter('open');
    await answeredAfter('solved');
    await addTicket(boreal);
    const { body } = await boreal.client.get(`${TICKETS}/report`);
    expect(body).toEqual({
      rows: [
        { status: 'open', assigneeId: null, tickets: 1, medianSecondsToAnswer: null },
        { status: 'open', assigneeId: agent.id, tickets: 3, medianSecondsToAnswer: 1200 },
        { status: 'solved', assigneeId: agent.id, tickets: 1, medianSecondsToAnswer: null },
      ],
    });
    const all = (await agent.client.get(`${TICKETS}/report`)).body as { rows: { tickets: number }[] };
    const [counted] = await desk.query<{ n: number }>('select count(*) as n from tickets');
    expect(all.rows.reduce((sum, { tickets }) => sum + tickets, 0)).toBe(counted!.n);
  });

  it('is in the OpenAPI document', async () => {
    const { paths } = (await (await fetch(`${desk.baseUrl}/docs/openapi.json`)).json()) as {
      paths: Record<string, { get: { responses: Record<string, unknown> } }>;
    };
    const { responses } = paths['/api/v1/tickets/report']!.get;
    expect(JSON.stringify(responses['200'])).toContain('TicketReport');
    expect(responses).not.toHaveProperty('304');
  });
});
