import { randomBytes } from 'node:crypto';

import { Role } from '../../src/access/permissions.js';
import { canonicalEmail } from '../../src/fields/canonical-email.js';
import { Passwords } from '../../src/users/passwords.js';

export interface Credentials {
  readonly id: number;
  readonly email: string;
  readonly password: string;
}

const PASSWORD = 'correct horse battery staple';

/** Hashed once: hashing is slow on purpose. */
const hashed = new Passwords().hash(PASSWORD);

/** A new user of a role, with an e-mail that nobody else has. */
export async function createUser(
  query: <Row extends object>(text: string, values?: unknown[]) => Promise<Row[]>,
  role: Role,
): Promise<Credentials> {
  const email = `${role}-${randomBytes(6).toString('hex')}@example.com`;
  const text =
    'insert into users (email, canonical_email, password_hash, role) values ($1, $2, $3, $4) returning id';
  const [user] = await query<{ id: number }>(text, [email, canonicalEmail(email), await hashed, role]);
  return { id: (user as { id: number }).id, email, password: PASSWORD };
}
