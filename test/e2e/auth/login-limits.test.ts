import { useApp } from '../../support/app.js';
import { ratioOfDurations } from '../../support/durations.js';
import { basicOf } from '../../support/schemes.js';
import { Credentials, registerUser } from '../../support/users.js';

const from = (address: string) => ({ 'x-forwarded-for': address });

describe('logins', () => {
  const app = useApp({ LOGIN_RATE_LIMIT: '3', TRUST_PROXY: 'loopback' });
  let user: Credentials;
  let next = 1;
  const newAddress = () => `192.0.2.${next++}`;
  const login = (password: string, address: string, email = user.email) =>
    app.anonymous.post('/login', { email, password }, from(address));

  beforeEach(async () => {
    user = await app.user('viewer');
  });

  it('are limited per account after failures, except from an address with an earlier login', async () => {
    const home = newAddress();
    expect((await login(user.password, home)).status).toBe(200);
    for (let i = 0; i < 3; i++) expect((await login('wrong password', newAddress())).status).toBe(401);
    const locked = await login(user.password, newAddress());
    expect([locked.status, locked.body]).toMatchObject([429, { error: { code: 'RATE_LIMIT_EXCEEDED' } }]);
    expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(800);
    expect((await login(user.password, home)).status).toBe(200);
    expect((await login(user.password.toUpperCase(), home)).status).toBe(401);
  });

  it('are not limited at an address where Basic had the right password', async () => {
    const script = newAddress();
    const byBasic = { authorization: basicOf(user), ...from(script) };
    expect((await app.anonymous.get('/api/v1/products', byBasic)).status).toBe(200);
    for (let i = 0; i < 3; i++) expect((await login('wrong password', newAddress())).status).toBe(401);
    expect((await login(user.password, newAddress())).status).toBe(429);
    expect((await login(user.password, script)).status).toBe(200);
  });

  it('are not limited at an address with an earlier login by the failures of others at that address', async () => {
    const office = newAddress();
    const colleague = await app.user('viewer');
    expect((await login(user.password, office)).status).toBe(200);
    for (let i = 0; i < 3; i++) {
      expect((await login('wrong password', office, colleague.email)).status).toBe(401);
    }
    expect((await login(colleague.password, office, colleague.email)).status).toBe(429);
    expect((await login(user.password, office)).status).toBe(200);
    const headers = { authorization: basicOf(user), ...from(office) };
    expect((await app.anonymous.get('/api/v1/products', headers)).status).toBe(200);
  });

  it('are limited at an address with an earlier login by its own failures', async () => {
    const home = newAddress();
    expect((await login(user.password, home)).status).toBe(200);
    for (let i = 0; i < 3; i++) expect((await login('wrong password', home)).status).toBe(401);
    const locked = await login(user.password, home);
    expect(locked.status).toBe(429);
    expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(800);
  });

  it('are limited per address after failures, whatever the account is', async () => {
    const address = newAddress();
    for (let i = 0; i < 3; i++) {
      expect((await login('wrong password', address, `nobody${i}@example.com`)).status).toBe(401);
    }
    expect((await login(user.password, address)).status).toBe(429);
    expect((await login(user.password, newAddress())).status).toBe(200);
  });

  it('are limited by Basic as well, even many at once', async () => {
    const authorization = (password: string) => basicOf({ email: user.email, password });
    const address = newAddress();
    const statuses = await Promise.all(
      Array.from({ length: 12 }, async (_, i) => {
        const headers = { authorization: authorization(`wrong ${i}`), ...from(address) };
        return (await app.anonymous.get('/api/v1/products', headers)).status;
      }),
    );
    // The limit is exact, on however many cores passwords are hashed in parallel.
    expect(statuses.sort((a, b) => a - b)).toEqual([401, 401, 401, ...Array<number>(9).fill(429)]);
  });

  it('share their limit with guesses of the current password', async () => {
    const headers = from(newAddress());
    const byToken = await app.as('viewer');
    const { id } = (await byToken.get('/api/v1/users/me', headers)).body as { id: number };
    const guess = () =>
      byToken.patch(`/api/v1/users/${id}`, { password: 'another one', currentPassword: 'a guess' }, headers);
    for (let i = 0; i < 3; i++) expect((await guess()).status).toBe(422);
    const refused = await guess();
    expect([refused.status, refused.body]).toMatchObject([429, { error: { code: 'RATE_LIMIT_EXCEEDED' } }]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(800);
  });

  it('are not limited if the password is right', async () => {
    const address = newAddress();
    for (let i = 0; i < 6; i++) expect((await login(user.password, address)).status).toBe(200);
  });
});

describe('many logins at once', () => {
  const app = useApp({ LOGIN_RATE_LIMIT: '1000' });

  /** Created by the service, which hashes passwords at their full cost. */
  const registered = async (): Promise<Credentials> => registerUser(await app.as('admin'), 'viewer');

  it('let other requests be served', async () => {
    const { email, password } = await registered();
    const reader = await app.as('viewer');
    const state = { running: 60 };
    const logins = Promise.all(
      Array.from({ length: state.running }, () =>
        app.anonymous.post('/login', { email, password }).finally(() => state.running--),
      ),
    );
    let reads = 0;
    for (; state.running > 0; reads++) expect((await reader.get('/api/v1/products')).status).toBe(200);
    // On a busy machine, some wait too long in the queue and are refused.
    const statuses = new Set((await logins).map(({ status }) => status));
    expect([200, 503]).toEqual(expect.arrayContaining([...statuses]));
    expect(statuses).toContain(200);
    // Sequential requests, because the first one would wait behind all logins.
    expect(reads).toBeGreaterThan(10);
  });

  it('take equally long for an e-mail that nobody has', async () => {
    const { email } = await registered();
    const login = async (address: string) => {
      const answer = await app.anonymous.post('/login', { email: address, password: 'wrong password' });
      expect(answer.status).toBe(401);
    };
    const ratio = await ratioOfDurations({
      one: () => login(email),
      other: (round) => login(`nobody${round}@example.com`),
      rounds: 10,
      from: 0.6,
      to: 1.7,
    });
    expect(ratio).toBeGreaterThan(0.6);
    expect(ratio).toBeLessThan(1.7);
  });
});
