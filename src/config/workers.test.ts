import { availableParallelism } from 'node:os';

import { ConfigError, readConfig } from './read-config.js';

const SECRET = 'one-secret-of-more-than-32-bytes!!';

function faultsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env, () => SECRET);
    return [];
  } catch (error) {
    return (error as ConfigError).faults;
  }
}

describe('WORKERS', () => {
  test.each([
    ['3', 3],
    ['auto', availableParallelism()],
  ])('%s is a number of processes', (WORKERS, workers) => {
    expect(readConfig({ WORKERS }, () => SECRET).workers).toBe(workers);
  });

  test.each(['0', '-1', '1.5', '257', 'all'])('%s is a fault', (WORKERS) => {
    expect(faultsOf({ WORKERS })).toEqual([
      `WORKERS: got "${WORKERS}", takes a whole number from 1 to 256, or auto`,
    ]);
  });

  test('more than one do not share sessions in memory', () => {
    expect(faultsOf({ WORKERS: '2', SESSION_STORE: 'memory' })).toEqual([
      'SESSION_STORE: got "memory", which 2 WORKERS do not share; takes database or redis',
    ]);
    expect(faultsOf({ WORKERS: '1', SESSION_STORE: 'memory' })).toEqual([]);
  });
});
