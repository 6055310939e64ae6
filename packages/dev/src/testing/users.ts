import { randomBytes } from 'node:crypto';

import type { Role } from '@plinth/core';

import { Client } from './client.js';
import type { UserColumns } from './settings.js';

export interface Credentials {
  readonly id: number;
  readonly email: string;
  readonly password: string;
}

/** The password of users that tests create. */
export const PASSWORD = 'correct horse battery staple';
/** A hash of `PASSWORD` with the minimum cost, so that logins in tests are fast. */
export const PASSWORD_HASH =
  '$argon2id$v=19$m=8,t=1,p=1$+PbVSO/w8wlmAYNanoGphw$iPa0/rWzJ+ebrWCDcG+cXnWM2/nyy3USaGcVpW12wSA';

/** Returns an e-mail address that no other user has. */
export const uniqueEmail = (label: string): string =>
  `${label}-${randomBytes(6).toString('hex')}@example.com`;

/** Inserts a user with a role into the database, which is faster than the API and needs no administrator. */
export async function createUser(
  query: <Row extends object>(text: string, values?: unknown[]) => Promise<Row[]>,
  role: Role,
  table = '"users"',
  more: UserColumns = {},
): Promise<Credentials> {
  const email = uniqueEmail(role);
  // Lower-case ASCII is its own canonical form.
  const row = { email, canonical_email: email, password_hash: PASSWORD_HASH, role, ...more };
  const columns = Object.keys(row).map((name) => `"${name}"`);
  const places = columns.map((_, index) => `$${index + 1}`);
  const text = `insert into ${table} (${columns.join(', ')}) values (${places.join(', ')}) returning id`;
  const [user] = await query<{ id: number | string }>(text, Object.values(row)).catch((error: unknown) => {
    const { code, message } = error as Error & { code?: string };
    // 23502 is `not_null_violation`. PostgreSQL's message names the column.
    if (code !== '23502') throw error;
    throw new Error(`${message}: pass the column to startApp() in userColumns, or to as() or user()`, {
      cause: error,
    });
  });
  return { id: Number(user?.id), email, password: PASSWORD };
}

/** Logs in a user, and returns a client with the access token. @throws Error if the login fails */
export async function logIn(
  anonymous: Client,
  { email, password }: Pick<Credentials, 'email' | 'password'>,
): Promise<Client> {
  const login = await anonymous.post('/api/v1/login', { email, password });
  if (login.status !== 200) throw new Error(`login of ${email} failed: ${login.text}`);
  const { accessToken } = login.body as { accessToken: string };
  return anonymous.with({ authorization: `Bearer ${accessToken}` });
}
