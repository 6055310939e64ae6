import { unservedFaults } from './unserved-variables.js';

describe('O1 variables that this version does not serve', () => {
  test.each([
    [
      { DATABASE_REPLICA_URLS: 'postgres://replica/app' },
      'DATABASE_REPLICA_URLS: got "postgres://replica/app", is not served by this version: leave it unset',
    ],
  ])('%j is a fault', (env, fault) => {
    expect(unservedFaults(env)).toEqual([fault]);
  });

  test.each([[{}], [{ DATABASE_REPLICA_URLS: '' }]])('%j is none', (env) => {
    expect(unservedFaults(env)).toEqual([]);
  });
});
