import { Passwords } from '../../packages/core/src/accounts/passwords.js';
import { startInProcess } from '../support/own-app.js';

const USERS = '/api/v1/users';

describe('a registration with an Idempotency-Key', () => {
  it('hashes the password before its transaction begins: many at once keep no connections from others', async () => {
    const app = await startInProcess({});
    try {
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
      const register = () => app.anonymous.post(USERS, body, { 'idempotency-key': 'registration' });
      const answers = [await register(), await register()];
      expect(answers.map(({ status }) => status)).toEqual([201, 201]);
      expect(answers[1]?.headers.get('idempotency-replayed')).toBe('true');
      expect([open, hashes]).toEqual([[], 1]);
    } finally {
      await app.stop();
    }
  });
});
