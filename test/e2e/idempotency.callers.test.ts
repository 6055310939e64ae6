import { startApp, TestApp } from '../support/app.js';
import { errorOf, Member, Shop } from '../support/shop.js';

// These tests use the database directly, because a user is deleted without notice to the service.
describe('a POST that is repeated with its Idempotency-Key', () => {
  let app: TestApp;
  let shop: Shop;
  let count = 0;

  beforeAll(async () => {
    // One connection, as in access/model.test.ts.
    app = await startApp({ DATABASE_POOL_SIZE: '1' });
    shop = await Shop.in(app);
  });
  afterAll(() => app.stop());

  const email = (): string => `replayed-${++count}@example.com`;
  const newUser = (others: object = {}) => ({
    email: email(),
    password: 'a password of the tests',
    ...others,
  });
  const denyReading = (resourceId: number, userId: number) => ({
    resourceType: 'user',
    resourceId,
    userId,
    permissions: ['read'],
    effect: 'deny',
  });

  /** Requests that require `manage_users`. */
  const posts: [string, (member: Member) => [path: string, body: object]][] = [
    ['an administrator', () => ['/api/v1/users', newUser({ role: 'admin' })]],
    ['a grant', ({ id }) => ['/api/v1/access-grants', denyReading(999_999, id)]],
  ];

  /**
   * Sends a request that is answered with 201, and returns a function that repeats it, unchanged or with
   * another body.
   */
  const answered = async ({ client }: Member, [path, body]: [string, object]) => {
    const key = { 'idempotency-key': `key-${++count}` };
    const send = (others: object = {}) => client.post(path, { ...body, ...others }, key);
    const first = await send();
    expect(first.status).toBe(201);
    return { first, send };
  };

  it.each(posts)('does not show %s to a caller who has been demoted since', async (_name, post) => {
    const member = await shop.member('admin');
    const { send } = await answered(member, post(await shop.member()));
    // Demotes the user in the database directly, because the API would also end the login of the token.
    await app.query(`update users set role = 'editor' where id = $1`, [member.id]);
    expect(errorOf(await send())).toBe('403 PERMISSION_DENIED');
  });

  it('checks the permission before it reports that the key was used for another request', async () => {
    const member = await shop.member('admin');
    const { send } = await answered(member, ['/api/v1/users', newUser({ role: 'admin' })]);
    expect(errorOf(await send({ name: 'Eve' }))).toBe('422 IDEMPOTENCY_KEY_REUSED');
    // Demotes the user in the database directly, because the API would also end the login of the token.
    await app.query(`update users set role = 'editor' where id = $1`, [member.id]);
    expect(errorOf(await send({ name: 'Eve' }))).toBe('403 PERMISSION_DENIED');
  });

  it.each(posts)('does not show %s to a caller who has been deleted since', async (_name, post) => {
    const member = await shop.member('admin');
    const { send } = await answered(member, post(await shop.member()));
    // Deleted in the database directly, so that no cache is notified and the transaction itself must notice.
    await app.query('delete from users where id = $1', [member.id]);
    expect(errorOf(await send())).toBe('401 INVALID_TOKEN');
  });

  it('does not show a user whom a grant has hidden from the caller since', async () => {
    const member = await shop.member('admin');
    const { first, send } = await answered(member, ['/api/v1/users', newUser()]);
    const { id } = first.body as { id: number };
    expect((await shop.admin.post('/api/v1/access-grants', denyReading(id, member.id))).status).toBe(201);
    expect(errorOf(await member.client.get(`/api/v1/users/${id}`))).toBe('403 PERMISSION_DENIED');
    expect(errorOf(await send())).toBe('403 PERMISSION_DENIED');
  });
});
