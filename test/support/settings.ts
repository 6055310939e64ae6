import { PressureLimits } from '../../packages/core/src/operations/overload.js';

/** Environment variables for a service under test. */
export type Settings = Readonly<Record<string, string>>;

/** Signs the tokens of services under test that are not given another. */
export const SECRET = 'a-secret-of-the-tests-of-32-bytes-or-more';

/** Settings of services under test: no limit is in the way of tests of something else. */
export const DEFAULTS: Settings = {
  NODE_ENV: 'test',
  JWT_SECRET: SECRET,
  RATE_LIMIT: '1000000',
  LOGIN_RATE_LIMIT: '1000000',
  PORT: '0',
  MAX_IN_FLIGHT: '100000',
};

/** Of a service that is not asked for its documents: serving them is a third of its start. */
export const UNDOCUMENTED: Settings = { ...DEFAULTS, DOCS: 'false' };

/** Services under test share their event loop with each other, a test and its compiler. */
export const NO_PRESSURE: PressureLimits = { eventLoopDelayMs: Infinity, heapShare: 1 };
