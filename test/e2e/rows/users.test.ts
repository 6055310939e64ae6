import { Client, errorOf, faultsOf, logIn } from '@plinth/dev/testing';

import { Role } from '../../../packages/core/src/config/define-access.js';
import { CompaniesApp, startCompanies } from '../../support/companies.js';

const [ACME, BOREAL] = [1, 2];
const UNKNOWN = 999_999;

describe('the users of companies', () => {
  let app: CompaniesApp;

  beforeAll(async () => {
    app = await startCompanies(['acme', 'boreal']);
  });
  afterAll(() => app.stop());

  it.each<Role>(['viewer', 'editor'])(
    'see themselves if they have no company, and nobody else: %s',
    async (role) => {
      const [own, other] = [await app.member(role, null), await app.member(role, null)];
      const client = await logIn(app.anonymous, own);
      const path = `/api/v1/users/${own.id}`;
      expect((await client.get(path)).body).toMatchObject({ id: own.id, companyId: null });
      expect((await client.patch(path, { name: 'Ada' })).body).toMatchObject({ name: 'Ada' });
      const refused = role === 'editor' ? '404 USER_NOT_FOUND' : '403 PERMISSION_DENIED';
      expect(errorOf(await client.get(`/api/v1/users/${other.id}`))).toBe(refused);
      if (role === 'editor')
        expect((await client.get('/api/v1/users')).body).toMatchObject({ pagination: { total: 1 } });
    },
  );

  let count = 0;
  const body = (values: object): object => ({
    email: `new-${++count}@example.com`,
    password: 'a long passphrase',
    ...values,
  });

  /** Requests that create users, with the company of the new user, or with the error. */
  const CREATED: readonly [
    role: Role | null,
    ofCaller: number | null,
    sent: number | undefined,
    expected: number | string | null,
  ][] = [
    ['admin', null, BOREAL, BOREAL],
    ['admin', null, undefined, null],
    ['admin', null, UNKNOWN, 'companyId NOT_ALLOWED'],
    ['editor', ACME, ACME, ACME],
    ['editor', ACME, undefined, ACME],
    ['editor', ACME, BOREAL, 'companyId NOT_ALLOWED'],
    ['editor', ACME, UNKNOWN, 'companyId NOT_ALLOWED'],
    // A new user would not concern a manager who has no company.
    ['editor', null, undefined, '403 PERMISSION_DENIED'],
    ['editor', null, ACME, '403 PERMISSION_DENIED'],
    ['viewer', ACME, ACME, '403 PERMISSION_DENIED'],
    ['viewer', ACME, undefined, null],
    [null, null, ACME, '403 PERMISSION_DENIED'],
    [null, null, undefined, null],
  ];

  it.each(CREATED)('are created: %s of company %s sends %s: %s', async (role, ofCaller, sent, expected) => {
    const client: Client = role === null ? app.anonymous : await app.asMember(role, ofCaller);
    const made = await client.post('/api/v1/users', body(sent === undefined ? {} : { companyId: sent }));
    if (typeof expected !== 'string')
      expect([made.status, made.body]).toEqual([201, expect.objectContaining({ companyId: expected })]);
    else if (/^\d/.test(expected)) expect(errorOf(made)).toBe(expected);
    else expect([made.status, faultsOf(made)]).toEqual([422, [expected]]);
  });
});
