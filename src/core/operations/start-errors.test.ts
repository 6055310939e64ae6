import { ConnectionFailedError } from '../database/database-error.js';
import { explainStartError } from './start-errors.js';

const PLAN = { host: '127.0.0.1', port: 3000 };

describe('the reason of a failed start', () => {
  it.each([
    new Error('Query runner already released. Cannot run queries anymore.'),
    new Error('Connection terminated unexpectedly'),
    Object.assign(new Error('the database system is shutting down'), { code: '57P01' }),
  ])('says that PostgreSQL went away meanwhile: %s', (error) => {
    expect(explainStartError(error, PLAN)).toBe(
      `PostgreSQL ended the connection, or failed, while the service started: start it again (${error.message})`,
    );
  });

  it('says that PostgreSQL takes no connection', () => {
    const cause = Object.assign(new Error('sorry, too many clients already'), { code: '53300' });
    const error = new ConnectionFailedError(cause);
    expect(explainStartError(error, PLAN)).toBe(
      `PostgreSQL is not available now: start it again (${error.message})`,
    );
  });

  it('is left to the stack where it is a bug', () => {
    expect(explainStartError(new TypeError('undefined is not a function'), PLAN)).toBeUndefined();
  });
});
