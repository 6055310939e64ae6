import { Passwords } from '../../packages/core/src/accounts/passwords.js';
import { useInProcess } from '../support/own-app.js';

const app = useInProcess();

it('a registration with an Idempotency-Key hashes the password before its transaction begins', async () => {
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
