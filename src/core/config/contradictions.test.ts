import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';

import { ConfigError, readConfig } from './read-config.js';

type Env = Record<string, string | undefined>;

const SECRET = 'one-secret-of-more-than-32-bytes!!';

const noSecret = (): never => {
  throw new Error('no development secret was wanted');
};

function faultsOf(env: Env): readonly string[] {
  try {
    readConfig(env, () => SECRET);
  } catch (error) {
    return (error as ConfigError).faults;
  }
  return [];
}

const PRODUCTION: Env = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://app:hunter22@db:5432/app',
  JWT_SECRET: SECRET,
};

describe('contradictions', () => {
  test.each<[string, Env, string[]]>([
    ['production that has all it needs', PRODUCTION, []],
    [
      'production without a database',
      { ...PRODUCTION, DATABASE_URL: undefined },
      ['DATABASE_URL: unset, but production takes a PostgreSQL server of its own'],
    ],
    [
      'production without a secret',
      { ...PRODUCTION, JWT_SECRET: '' },
      ['JWT_SECRET: unset, but production takes secrets of at least 32 bytes each, or JWT_PRIVATE_KEY_FILES'],
    ],
    [
      'production without either',
      { NODE_ENV: 'production' },
      [
        'DATABASE_URL: unset, but production takes a PostgreSQL server of its own',
        'JWT_SECRET: unset, but production takes secrets of at least 32 bytes each, or JWT_PRIVATE_KEY_FILES',
      ],
    ],
    ['development without either', { NODE_ENV: 'development' }, []],
    ['test without either', { NODE_ENV: 'test' }, []],
    ['a secret of commas', { JWT_SECRET: ' , ' }, ['JWT_SECRET: got a value, takes at least one secret']],
    ['a certificate and its key', { TLS_CERT_FILE: 'c', TLS_KEY_FILE: 'k' }, []],
    ['a certificate alone', { TLS_CERT_FILE: 'c' }, ['TLS_KEY_FILE: unset, but TLS_CERT_FILE is set']],
    ['a key alone', { TLS_KEY_FILE: 'k' }, ['TLS_CERT_FILE: unset, but TLS_KEY_FILE is set']],
    ['a deprecation alone', { API_V1_DEPRECATED_AT: '2027-01-01' }, []],
    [
      'a sunset alone',
      { API_V1_SUNSET_AT: '2027-01-01' },
      ['API_V1_SUNSET_AT: set, but takes API_V1_DEPRECATED_AT beside it'],
    ],
    ['both at once', { API_V1_DEPRECATED_AT: '2027-01-01', API_V1_SUNSET_AT: '2027-01-01' }, []],
    [
      'a sunset before the deprecation',
      { API_V1_DEPRECATED_AT: '2027-01-02', API_V1_SUNSET_AT: '2027-01-01' },
      ['API_V1_SUNSET_AT: is before API_V1_DEPRECATED_AT (RFC 9745 §4), takes a later date'],
    ],
  ])('%s', (_name, env, faults) => {
    expect(faultsOf(env)).toEqual(faults);
  });

  test('workers and sessions in memory', () => {
    expect(faultsOf({ WORKERS: '2', SESSION_STORE: 'memory' })).toEqual([
      'SESSION_STORE: got "memory", which several WORKERS do not share; takes database or redis',
    ]);
    expect(faultsOf({ WORKERS: '1', SESSION_STORE: 'memory' })).toEqual([]);
  });
});

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
});

describe('secrets from files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'service-secrets-'));
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });
  const file = (text: string): string => {
    const path = join(folder, 'secret');
    writeFileSync(path, text);
    return path;
  };

  test('are read, without the line break at the end', () => {
    expect(readConfig({ JWT_SECRET_FILE: file(`${SECRET}\n`) }, noSecret).jwt.secrets).toEqual([SECRET]);
    expect(readConfig({ ADMIN_PASSWORD_FILE: file(' a password \n\r\n') }, () => SECRET).admin.password).toBe(
      ' a password \n',
    );
    expect(readConfig({ DATABASE_URL_FILE: file('postgres://db/app') }, () => SECRET).database.url).toBe(
      'postgres://db/app',
    );
    expect(readConfig({ REDIS_URL_FILE: file('redis://db') }, () => SECRET).redisUrl).toBe('redis://db');
  });

  test('a blank twin counts as unset', () => {
    expect(readConfig({ JWT_SECRET_FILE: ' ', JWT_SECRET: SECRET }, noSecret).jwt.secrets).toEqual([SECRET]);
  });

  test('both are a fault that does not show the secret', () => {
    expect(faultsOf({ JWT_SECRET_FILE: file(SECRET), JWT_SECRET: SECRET })).toEqual([
      'JWT_SECRET_FILE: set beside JWT_SECRET, takes one of the two',
    ]);
  });

  test('a file that cannot be read is a fault', () => {
    expect(faultsOf({ JWT_SECRET_FILE: join(folder, 'nowhere') })).toEqual([
      expect.stringMatching(/^JWT_SECRET_FILE: got ".*nowhere", takes a file that can be read/),
    ]);
  });
});
