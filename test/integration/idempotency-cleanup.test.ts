import { createHash } from 'node:crypto';

import { IdempotencyStore } from '../../packages/core/src/resources/idempotency/idempotency-store.js';
import { OwnApp, startInProcess } from '../support/own-app.js';

/** As a key is stored: by its digest. */
const stored = (key: string): string => createHash('sha256').update(key).digest('base64url');

test('stored answers go after a day, and not before', async () => {
  const app: OwnApp = await startInProcess();
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
  const store = app.app.nest.get(IdempotencyStore, { strict: false });
  expect(await store.removeExpired()).toBe(1);
  expect(await store.removeExpired()).toBe(0);
  expect(await app.query('select key from idempotency_keys')).toEqual([{ key: stored('new') }]);
  await app.stop();
});
