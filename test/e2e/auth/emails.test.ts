import { useApp } from '../../support/app.js';
import { basicOf } from '../../support/schemes.js';

const password = 'a password of the tests';
const USERS = '/api/v1/users';

describe('the canonical form of an e-mail', () => {
  const app = useApp({ LOGIN_RATE_LIMIT: '3', TRUST_PROXY: 'loopback' });
  let count = 0;

  const newAddress = () => `192.0.2.${++count}`;
  const send = async (method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
    const { status, body: answered } = await app.anonymous.request(method, path, {
      headers: { 'x-forwarded-for': newAddress(), ...headers },
      body,
    });
    return { status, body: answered as { id: number } };
  };
  const register = (email: string) => send('POST', USERS, { email, password });
  const login = (email: string, word = password) => send('POST', '/login', { email, password: word });
  const by = (email: string) => ({ authorization: basicOf({ email, password }) });
  const me = (email: string) => send('GET', `${USERS}/me`, undefined, by(email));

  const spellings: [string, string, string][] = [
    ['ASCII', 'Ada.L@Example.com', 'aDA.l@eXAMPLE.COM'],
    ['composition', 'jose\u0301@example.com', 'JOS\u00c9@example.com'],
    ['a capital I with a dot', 'v\u0130ctor@example.com', 'VI\u0307CTOR@example.com'],
    ['the Kelvin sign', '\u212aelvin@example.com', 'kelvin@example.com'],
    ['a domain', 'a@b\u00fccher.example', 'a@B\u00dcCHER.example'],
    ['the ASCII form of a domain', 'a@m\u00fcnchen.example', 'a@xn--mnchen-3ya.example'],
  ];

  it.each(spellings)(
    'makes an e-mail unique and found in any spelling, but shown as typed: %s',
    async (_name, typed, other) => {
      const created = await register(typed);
      expect([created.status, created.body]).toMatchObject([201, { email: typed }]);
      expect(await register(other)).toMatchObject({
        status: 409,
        body: { error: { code: 'EMAIL_ALREADY_EXISTS' } },
      });
      for (const email of [typed, other]) {
        expect((await login(email)).body).toMatchObject({ user: { email: typed } });
        expect((await me(email)).body).toMatchObject({ email: typed });
      }
    },
  );

  it.each(spellings)('counts failed logins in all spellings together: %s', async (_name, typed, other) => {
    const [one, two] = [`limit-${typed}`, `limit-${other}`];
    await register(one);
    const statuses: number[] = [];
    for (const email of [one, two, one]) statuses.push((await login(email, 'wrong password')).status);
    expect(statuses).toEqual([401, 401, 401]);
    expect((await login(one)).status).toBe(429);
    expect((await login(two)).status).toBe(429);
    expect((await me(two)).status).toBe(429);
  });

  it('distinguishes letters that only look alike', async () => {
    for (const email of ['i-letter@example.com', '\u0131-letter@example.com']) {
      expect((await register(email)).status).toBe(201);
    }
  });

  it('changes with the e-mail, which may also change in case only', async () => {
    const email = 'follows@example.com';
    const { id } = (await register(email)).body;
    const rename = (to: string) =>
      send('PATCH', `${USERS}/${id}`, { email: to, currentPassword: password }, by(email));
    expect((await rename('Follows@Example.com')).body).toMatchObject({ email: 'Follows@Example.com' });
    expect((await rename('FOLLOWED@example.com')).status).toBe(200);
    expect((await login(email)).status).toBe(401);
    expect((await login('followed@example.com')).status).toBe(200);
    expect((await register(email)).status).toBe(201);
  });
});
