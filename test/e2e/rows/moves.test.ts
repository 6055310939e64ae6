import { AccountsRepository } from '@plinth/core/auth';
import { Answer, errorOf, logIn } from '@plinth/dev/testing';

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
    const client = await logIn(app.anonymous, { id, email, password });
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
