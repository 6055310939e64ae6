/** Environment variables of an application under test. */
export type Settings = Readonly<Record<string, string>>;

/** What users under test need beside e-mail, password and role, by the names of columns. */
export type UserColumns = Readonly<Record<string, unknown>>;

/** No limit is in the way of tests of something else. */
export const DEFAULTS: Settings = {
  NODE_ENV: 'test',
  JWT_SECRET: 'a-secret-of-the-tests-of-32-bytes-or-more',
  RATE_LIMIT: '1000000',
  LOGIN_RATE_LIMIT: '1000000',
  PORT: '0',
  // Mails are written there.
  DATA_DIR: 'node_modules/.cache/tests',
  MAX_IN_FLIGHT: '100000',
};
