/** Environment variables of an application under test. */
export type Settings = Readonly<Record<string, string>>;

/** Columns that test users need in addition to e-mail, password and role. */
export type UserColumns = Readonly<Record<string, unknown>>;

/** Default settings of tests. Their rate limits are too high to interfere. */
export const DEFAULTS: Settings = {
  NODE_ENV: 'test',
  JWT_SECRET: 'a-secret-of-the-tests-of-32-bytes-or-more',
  RATE_LIMIT: '1000000',
  LOGIN_RATE_LIMIT: '1000000',
  PORT: '0',
  // The folder to which mails are written.
  DATA_DIR: 'node_modules/.cache/tests',
  MAX_IN_FLIGHT: '100000',
};
