import { unservedFaults } from './unserved-variables.js';

describe('O1 variables that this version does not serve', () => {
  test.each([
    [{ WORKERS: '4' }, 'WORKERS: got "4", takes 1 in this version'],
    [{ WORKERS: 'auto' }, 'WORKERS: got "auto", takes 1 in this version'],
  ])('%j is a fault', (env, fault) => {
    expect(unservedFaults(env)).toEqual([fault]);
  });

  test.each([[{}], [{ WORKERS: '1' }], [{ WORKERS: ' ', DATABASE_REPLICA_URLS: '' }]])(
    '%j is none',
    (env) => {
      expect(unservedFaults(env)).toEqual([]);
    },
  );
});
