import { createHash } from 'node:crypto';

import { eventually } from '@plinth/dev/testing';

import { removeRegularly } from '../../packages/core/src/database/remove-in-batches.js';
import { IdempotencyStore } from '../../packages/core/src/resources/idempotency/idempotency-store.js';
import { LoginsRepository } from '../../packages/core/src/sessions/logins.repository.js';
import { useInProcess } from '../support/own-app.js';

/** Keys are stored as digests. */
const stored = (key: string): string => createHash('sha256').update(key).digest('base64url');

const app = useInProcess();

test('a cleanup deletes stored responses after a day, but not earlier', async () => {
  const admin = await app.as('admin');
  for (const key of ['old', 'new']) {
    await admin.post('/api/v1/products', { name: key, price: 1, category: 'x' }, { 'idempotency-key': key });
  }
  await app.query(`update idempotency_keys set created_at = now() - interval '24 hours' where key = $1`, [
    stored('old'),
  ]);
  await app.query(`update idempotency_keys set created_at = now() - interval '23 hours' where key = $1`, [
    stored('new'),
  ]);
  await app.app.nest.get(IdempotencyStore, { strict: false }).removeExpired();
  expect(await app.query('select key from idempotency_keys')).toEqual([{ key: stored('new') }]);
});

test('a cleanup deletes expired logins and their addresses, however many there are', async () => {
  const { id } = await app.user('editor');
  const text = `insert into logins (user_id, expires_at) select $1, now() from generate_series(1, 1500)`;
  await app.query(text, [id]);
  const old = `insert into login_addresses (user_id, address, last_seen_at)
    select $1, i::text, now() - interval '91 days' from generate_series(1, 1500) as i`;
  await app.query(old, [id]);
  await app.app.nest.get(LoginsRepository, { strict: false }).removeExpired();
  for (const table of ['logins', 'login_addresses'])
    expect(await app.query(`select 1 from ${table} where user_id = $1`, [id])).toEqual([]);
});

test('a cleanup deletes expired refresh and mail tokens, and keeps the others with their login', async () => {
  const { id } = await app.user('editor');
  const [login] = await app.query<{ id: number }>(
    `insert into logins (user_id, expires_at) values ($1, now() + interval '1 hour') returning id`,
    [id],
  );
  const values = `sha256(($1 || ' ' || i || ' ' || $2)::bytea), $2::bigint`;
  const expiresAt = `now() + case when i > 1500 then interval '1 hour' else interval '0' end`;
  const rows = 'from generate_series(1, 1502) as i';
  await app.query(
    `insert into refresh_tokens (digest, login_id, expires_at) select ${values}, ${expiresAt} ${rows}`,
    ['refresh', login!.id],
  );
  await app.query(
    `insert into account_tokens (digest, user_id, purpose, expires_at)
     select ${values}, 'passwordReset', ${expiresAt} ${rows}`,
    ['account', id],
  );
  await app.app.nest.get(LoginsRepository, { strict: false }).removeExpired();
  const left = (table: string, owner: string) =>
    app.query(`select count(*)::int as n from ${table} where ${owner} = $1`, [
      owner === 'user_id' ? id : login!.id,
    ]);
  expect(await left('refresh_tokens', 'login_id')).toEqual([{ n: 2 }]);
  expect(await left('account_tokens', 'user_id')).toEqual([{ n: 2 }]);
  expect(await app.query('select id from logins where id = $1', [login!.id])).toHaveLength(1);
});

test('a failed cleanup is logged', async () => {
  const timer = removeRegularly(() => Promise.reject(new Error('no database')), 1);
  const isLogged = () => app.log.some(({ msg }) => /not removed: .*no database/.test(String(msg)));
  await eventually(() => Promise.resolve(isLogged()), true, 1_000);
  clearInterval(timer);
});
