import { randomBytes } from 'node:crypto';

import { Client, Credentials, uniqueEmail } from '@plinth/dev/testing';

import { Role } from '../../packages/core/src/config/define-access.js';

export { createUser, type Credentials, uniqueEmail } from '@plinth/dev/testing';

/** A new user with the given role, created by an administrator over HTTP. */
export async function registerUser(admin: Client, role: Role): Promise<Credentials> {
  const email = uniqueEmail(role);
  const password = `${randomBytes(12).toString('base64url')} of a test`;
  const created = await admin.post('/api/v1/users', { email, password, role });
  if (created.status !== 201) throw new Error(`the user was not created: ${created.text}`);
  return { id: (created.body as { id: number }).id, email, password };
}
