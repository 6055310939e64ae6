import { TestApp } from './app.js';
import { cookieOf } from './cookies.js';
import { Credentials } from './users.js';

export const SCHEMES = ['bearer', 'basic', 'api-key', 'session'] as const;
export type SchemeName = (typeof SCHEMES)[number];

export const basicOf = ({ email, password }: Pick<Credentials, 'email' | 'password'>): string =>
  `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}`;

/** The headers that authenticate a user, by scheme. API keys have all permissions of the role. */
export async function headersOf(
  app: TestApp,
  user: Credentials,
  permissions: readonly string[],
): Promise<Record<SchemeName, Record<string, string>>> {
  const { email, password } = user;
  const login = await app.anonymous.post('/api/v1/login', { email, password });
  const bearer = { authorization: `Bearer ${(login.body as { accessToken: string }).accessToken}` };
  const created = await app.anonymous.post('/api/v1/api-keys', { name: 'test', permissions }, bearer);
  if (created.status !== 201) throw new Error(`the API key was not created: ${created.text}`);
  return {
    bearer,
    basic: { authorization: basicOf(user) },
    'api-key': { 'x-api-key': (created.body as { key: string }).key },
    session: { cookie: `session_id=${cookieOf(login, 'session_id')}`, 'sec-fetch-site': 'same-origin' },
  };
}
