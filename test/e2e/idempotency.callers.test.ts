import { startApp, TestApp } from '../support/app.js';
import { errorOf, Member, Shop } from '../support/shop.js';

// With the database: a user is deleted behind the service's back.
describe('a POST that is repeated with its Idempotency-Key', () => {
  let app: TestApp;
  let shop: Shop;
  let count = 0;

  beforeAll(async () => {
    // See access/model.test.ts.
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

  /** What takes `manage_users`. */
  const posts: [string, (member: Member) => [path: string, body: object]][] = [
    ['an administrator', () => ['/api/v1/users', newUser({ role: 'admin' })]],
    ['a grant', ({ id }) => ['/api/v1/access-grants', denyReading(999_999, id)]],
  ];

  /** Sends a request that is answered with 201, and returns what sends it again, changed or not. */
  const answered = async ({ client }: Member, [path, body]: [string, object]) => {
    const key = { 'idempotency-key': `key-${++count}` };
    const send = (others: object = {}) => client.post(path, { ...body, ...others }, key);
    const first = await send();
    expect(first.status).toBe(201);
    return { first, send };
  };

  it.each(posts)('shows %s to nobody who was demoted since', async (_name, post) => {
    const member = await shop.member('admin');
    const { send } = await answered(member, post(await shop.member()));
    // Past the API, which would end the login of the token as well.
    await app.query(`update users set role = 'editor' where id = $1`, [member.id]);
    expect(errorOf(await send())).toBe('403 PERMISSION_DENIED');
  });

  it('asks for the permission before it tells that the key was used for something else', async () => {
    const member = await shop.member('admin');
    const { send } = await answered(member, ['/api/v1/users', newUser({ role: 'admin' })]);
    expect(errorOf(await send({ name: 'Eve' }))).toBe('422 IDEMPOTENCY_KEY_REUSED');
    // Past the API, which would end the login of the token as well.
    await app.query(`update users set role = 'editor' where id = $1`, [member.id]);
    expect(errorOf(await send({ name: 'Eve' }))).toBe('403 PERMISSION_DENIED');
  });

  it.each(posts)('shows %s to nobody who was deleted since', async (_name, post) => {
    const member = await shop.member('admin');
    const { send } = await answered(member, post(await shop.member()));
    // Not announced: so the transaction itself must find out, not what is remembered of the user.
    await app.query('delete from users where id = $1', [member.id]);
    expect(errorOf(await send())).toBe('401 INVALID_TOKEN');
  });

  it('shows no user whom a grant has hidden from the caller since', async () => {
    const member = await shop.member('admin');
    const { first, send } = await answered(member, ['/api/v1/users', newUser()]);
    const { id } = first.body as { id: number };
    expect((await shop.admin.post('/api/v1/access-grants', denyReading(id, member.id))).status).toBe(201);
    expect(errorOf(await member.client.get(`/api/v1/users/${id}`))).toBe('403 PERMISSION_DENIED');
    expect(errorOf(await send())).toBe('403 PERMISSION_DENIED');
  });
});
