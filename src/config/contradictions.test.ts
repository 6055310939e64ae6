import { ConfigError, readConfig } from './read-config.js';

type Env = Record<string, string | undefined>;

const SECRET = 'one-secret-of-more-than-32-bytes!!';
const PRODUCTION: Env = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://app:hunter22@db:5432/app',
  JWT_SECRET: SECRET,
};

function faultsOf(env: Env): readonly string[] {
  try {
    readConfig(env, () => SECRET);
  } catch (error) {
    return (error as ConfigError).faults;
  }
  return [];
}

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
    ['a secret of commas', { JWT_SECRET: ' , ' }, ['JWT_SECRET: got only commas, takes at least one secret']],
    ['a certificate and its key', { TLS_CERT_FILE: 'c', TLS_KEY_FILE: 'k' }, []],
    [
      'a certificate alone',
      { TLS_CERT_FILE: 'c' },
      ['TLS_KEY_FILE: unset, but the other of the pair is set'],
    ],
    ['a key alone', { TLS_KEY_FILE: 'k' }, ['TLS_CERT_FILE: unset, but the other of the pair is set']],
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
});
