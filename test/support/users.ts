import { randomBytes } from 'node:crypto';

import { Role } from '../../packages/core/src/config/define-access.js';
import { Client } from './client.js';

export interface Credentials {
  readonly id: number;
  readonly email: string;
  readonly password: string;
}

/** An e-mail that nobody else has. */
export const uniqueEmail = (label: string): string =>
  `${label}-${randomBytes(6).toString('hex')}@example.com`;

/** A new user of a role, with an e-mail that nobody else has. */
export async function createUser(
  query: <Row extends object>(text: string, values?: unknown[]) => Promise<Row[]>,
  role: Role,
): Promise<Credentials> {
  const { TEST_PASSWORD: password = '', TEST_PASSWORD_HASH: hash } = process.env;
  const email = uniqueEmail(role);
  // Lower-case ASCII is its own canonical form.
  const text =
    'insert into users (email, canonical_email, password_hash, role) values ($1, $1, $2, $3) returning id';
  const [user] = await query<{ id: number }>(text, [email, hash, role]);
  return { id: (user as { id: number }).id, email, password };
}

/** A new user of a role, made over HTTP by an administrator. */
export async function registerUser(admin: Client, role: Role): Promise<Credentials> {
  const email = uniqueEmail(role);
  const password = `${randomBytes(12).toString('base64url')} of a test`;
  const created = await admin.post('/api/v1/users', { email, password, role });
  if (created.status !== 201) throw new Error(`no user was made: ${created.text}`);
  return { id: (created.body as { id: number }).id, email, password };
}
