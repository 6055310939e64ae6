import { unservedFaults } from './unserved-variables.js';

describe('O1 variables that this version does not serve', () => {
  test.each([
    [{ WORKERS: '4' }, 'WORKERS: got "4", takes 1 in this version'],
    [{ WORKERS: 'auto' }, 'WORKERS: got "auto", takes 1 in this version'],
    [{ METRICS_PORT: '9090' }, 'METRICS_PORT: got "9090", is not served by this version: leave it unset'],
  ])('%j is a fault', (env, fault) => {
    expect(unservedFaults(env)).toEqual([fault]);
  });

  test.each([[{}], [{ WORKERS: '1' }], [{ WORKERS: ' ', METRICS_PORT: '' }]])('%j is none', (env) => {
    expect(unservedFaults(env)).toEqual([]);
  });
});
