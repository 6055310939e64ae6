import { randomBytes } from 'node:crypto';

import { ConflictException } from '@nestjs/common';

import { Passwords } from '../../packages/core/src/accounts/passwords.js';
import { Connection } from '../../packages/core/src/database/connection.js';
import { ApiError } from '../../packages/core/src/http/errors/api-error.js';
import { PRODUCT_NOT_FOUND } from '../../src/products/product.errors.js';
import { Claim } from '../../packages/core/src/resources/idempotency/claim.js';
import {
  IdempotencyStore,
  StoredResponse,
} from '../../packages/core/src/resources/idempotency/idempotency-store.js';
import { useInProcess } from '../support/own-app.js';

const ANSWER: StoredResponse = { status: 201, headers: { etag: '"1"' }, json: '{"id":1}' };

const app = useInProcess();
let store: IdempotencyStore;
beforeAll(async () => {
  store = app.app.nest.get(IdempotencyStore, { strict: false });
});

describe('a request whose first answer is stored after its key was looked for', () => {
  const claimOf = (key: string): Claim => ({
    caller: 'user 1',
    key,
    fingerprint: 'f',
    sealedWith: randomBytes(32),
  });
  const admit = (): Promise<void> => Promise.resolve();

  /** Stores the answer to a claim, and takes it away again. @returns what puts it back */
  async function heldBack(claim: Claim): Promise<() => Promise<unknown>> {
    await store.once(claim, () => Promise.resolve(ANSWER), admit);
    await app.query('create table if not exists held (like idempotency_keys)');
    const taken = 'with gone as (delete from idempotency_keys where key = $1 returning *)';
    await app.query(`${taken} insert into held select * from gone`, [claim.key]);
    return () => app.query('insert into idempotency_keys select * from held where key = $1', [claim.key]);
  }

  /** Violates a constraint that belongs to no error of the catalogue. */
  const storeAgain = async (on: Connection): Promise<StoredResponse> => {
    await on.query({ text: 'insert into idempotency_keys select * from held', values: [] });
    return ANSWER;
  };

  it.each<[string, (on: Connection) => Promise<StoredResponse>]>([
    ['is done again', () => Promise.resolve(ANSWER)],
    ['is refused for what the first has done', () => Promise.reject(new ApiError(PRODUCT_NOT_FOUND))],
    ['violates a constraint by it', storeAgain],
    ['fails in a way of its own for it', () => Promise.reject(new ConflictException())],
  ])('gets that answer, where it %s', async (key, end) => {
    const claim = claimOf(key);
    const putBack = await heldBack(claim);
    let times = 0;
    const work = async (on: Connection): Promise<StoredResponse> => {
      // The key is claimed with the first statement: only a work that has read can be refused for what it read.
      await on.query({ text: 'select 1', values: [] });
      times++;
      await putBack();
      return end(on);
    };
    expect(await store.once(claim, work, admit)).toEqual({ answer: ANSWER, isReplay: true });
    expect(times).toBe(1);
  });

  it('fails as it did where there is no answer, for a violated constraint as well', async () => {
    const text = 'insert into migrations (id, timestamp, name) select id, timestamp, name from migrations';
    const failed = store.once(
      claimOf('failed'),
      (on) => on.query({ text, values: [] }).then(() => ANSWER),
      admit,
    );
    await expect(failed).rejects.toMatchObject({ code: '23505' });
  });

  it('is told of its own refusal where there is no answer', async () => {
    const refused = store.once(claimOf('none'), () => Promise.reject(new ApiError(PRODUCT_NOT_FOUND)), admit);
    await expect(refused).rejects.toMatchObject({ type: { code: 'PRODUCT_NOT_FOUND' } });
  });
});

it('a registration with a key hashes the password before its transaction begins, so that none waits for a hash', async () => {
  const passwords = app.app.nest.get(Passwords, { strict: false });
  const hash = passwords.hash.bind(passwords);
  const open: unknown[] = [];
  let hashes = 0;
  passwords.hash = async (password) => {
    hashes++;
    const transactions = `
      select query from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and state like 'idle in transaction%'`;
    open.push(...(await app.query(transactions)));
    return hash(password);
  };
  const body = { email: 'once@example.com', password: 'a password of the tests' };
  const register = () => app.anonymous.post('/api/v1/users', body, { 'idempotency-key': 'registration' });
  const answers = [await register(), await register()];
  expect(answers.map(({ status }) => status)).toEqual([201, 201]);
  expect(answers[1]?.headers.get('idempotency-replayed')).toBe('true');
  expect([open, hashes]).toEqual([[], 1]);
});
