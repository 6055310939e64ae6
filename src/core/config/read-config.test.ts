import { PRODUCT } from './product.js';
import { ConfigError, readConfig, VARIABLE_NAMES } from './read-config.js';

type Env = Record<string, string | undefined>;

const SECRET = 'one-secret-of-more-than-32-bytes!!';
const OTHER_SECRET = 'another-secret-of-more-than-32-bytes';

const noSecret = (): never => {
  throw new Error('no development secret was wanted');
};

function faultsOf(env: Env): readonly string[] {
  try {
    readConfig(env, () => SECRET);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    expect((error as ConfigError).message).toBe((error as ConfigError).faults.join('\n'));
    return (error as ConfigError).faults;
  }
  return [];
}

describe('what is read', () => {
  test('an empty environment: the defaults', () => {
    expect(readConfig({}, (dataDir) => `generated under ${dataDir}`)).toEqual({
      environment: 'development',
      host: '127.0.0.1',
      port: 3000,
      database: {
        url: undefined,
        migrate: true,
        poolSize: 10,
        statementTimeoutMs: 5000,
        replicaUrls: [],
        replicaLagSeconds: 5,
      },
      dataDir: '.data',
      jwt: {
        secrets: ['generated under .data'],
        privateKeyFiles: [],
        accessTokenTtlSeconds: 900,
        refreshTokenTtlSeconds: 604_800,
      },
      session: { store: 'database', ttlSeconds: 86_400 },
      redisUrl: undefined,
      loginRateLimit: 10,
      anonymousRole: undefined,
      rateLimit: { limit: 600, windowSeconds: 60 },
      corsOrigins: [],
      trustProxy: false,
      tls: undefined,
      maxInFlight: 512,
      shutdownDelayMs: 0,
      docs: true,
      hsts: 'max-age=31536000',
      maintenance: false,
      v1: { deprecatedAt: undefined, sunsetAt: undefined },
      admin: { email: `admin@${PRODUCT.emailDomain}`, password: undefined },
      workers: 1,
      isTraced: false,
      logLevel: 'info',
    });
  });

  test('every variable', () => {
    const env = {
      NODE_ENV: 'production',
      HOST: '0.0.0.0',
      PORT: '0',
      DATABASE_URL: 'postgres://db/app',
      DATABASE_MIGRATE: 'false',
      DATABASE_POOL_SIZE: '40',
      DATABASE_STATEMENT_TIMEOUT_MS: '250',
      DATABASE_REPLICA_URLS: 'postgres://replica/app',
      REPLICA_LAG_SECONDS: '2',
      DATA_DIR: '/var/lib/app',
      JWT_SECRET: `${SECRET}, ${OTHER_SECRET}`,
      JWT_PRIVATE_KEY_FILES: 'new.pem, old.pem',
      ACCESS_TOKEN_TTL: '3600',
      REFRESH_TOKEN_TTL: '86400',
      SESSION_STORE: 'redis',
      SESSION_TTL: '600',
      REDIS_URL: 'redis://cache:6379',
      LOGIN_RATE_LIMIT: '3',
      ANONYMOUS_ROLE: 'viewer',
      RATE_LIMIT: '0',
      RATE_LIMIT_WINDOW: '1',
      CORS_ORIGINS: 'https://a.example, https://b.example',
      TRUST_PROXY: '10.0.0.0/8',
      TLS_CERT_FILE: 'cert.pem',
      TLS_KEY_FILE: 'key.pem',
      MAX_IN_FLIGHT: '50',
      SHUTDOWN_DELAY_MS: '2500',
      DOCS: 'false',
      HSTS: 'off',
      MAINTENANCE: 'true',
      API_V1_DEPRECATED_AT: '2027-01-01',
      API_V1_SUNSET_AT: '2027-07-01',
      ADMIN_EMAIL: 'root@example.com',
      ADMIN_PASSWORD: 'correct horse',
      METRICS_PORT: '9464',
      WORKERS: '1',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318',
      LOG_LEVEL: 'warn',
    };
    expect(Object.keys(env).sort()).toEqual([...VARIABLE_NAMES].sort());
    expect(readConfig(env, noSecret)).toEqual({
      environment: 'production',
      host: '0.0.0.0',
      port: 0,
      database: {
        url: 'postgres://db/app',
        migrate: false,
        poolSize: 40,
        statementTimeoutMs: 250,
        replicaUrls: ['postgres://replica/app'],
        replicaLagSeconds: 2,
      },
      dataDir: '/var/lib/app',
      jwt: {
        secrets: [SECRET, OTHER_SECRET],
        privateKeyFiles: ['new.pem', 'old.pem'],
        accessTokenTtlSeconds: 3600,
        refreshTokenTtlSeconds: 86_400,
      },
      session: { store: 'redis', ttlSeconds: 600 },
      redisUrl: 'redis://cache:6379',
      loginRateLimit: 3,
      anonymousRole: 'viewer',
      rateLimit: { limit: 0, windowSeconds: 1 },
      corsOrigins: ['https://a.example', 'https://b.example'],
      trustProxy: ['10.0.0.0/8'],
      tls: { certFile: 'cert.pem', keyFile: 'key.pem' },
      maxInFlight: 50,
      shutdownDelayMs: 2500,
      docs: false,
      hsts: undefined,
      maintenance: true,
      v1: { deprecatedAt: new Date('2027-01-01T00:00:00Z'), sunsetAt: new Date('2027-07-01T00:00:00Z') },
      admin: { email: 'root@example.com', password: 'correct horse' },
      metricsPort: 9464,
      workers: 1,
      isTraced: true,
      logLevel: 'warn',
    });
  });

  test('a blank variable counts as unset, whatever it would be otherwise', () => {
    expect(readConfig({ PORT: '', HOST: '  ', JWT_SECRET: '', TRUST_PROXY: '\t' }, () => SECRET)).toEqual(
      readConfig({}, () => SECRET),
    );
  });

  test('a JWT secret that is set wants no development secret', () => {
    expect(readConfig({ JWT_SECRET: SECRET }, noSecret).jwt.secrets).toEqual([SECRET]);
  });

  test('what is no variable of ours is not looked at', () => {
    expect(faultsOf({ PATH: '/bin', port: 'x', NODE_OPTIONS: '--x' })).toEqual([]);
  });
});

describe('faulty values', () => {
  test.each<[string, string, string]>([
    ['NODE_ENV', 'prod', 'NODE_ENV: got "prod", takes one of development, test, production'],
    ['PORT', '65536', 'PORT: got "65536", takes a whole number from 0 to 65535'],
    ['PORT', '80a', 'PORT: got "80a", takes a whole number from 0 to 65535'],
    ['DATABASE_POOL_SIZE', '0', 'DATABASE_POOL_SIZE: got "0", takes a whole number from 1 to 1000'],
    ['ACCESS_TOKEN_TTL', '15m', 'ACCESS_TOKEN_TTL: got "15m", takes a whole number from 1 to 31536000'],
    ['RATE_LIMIT', '-1', 'RATE_LIMIT: got "-1", takes a whole number from 0 to 1000000000'],
    ['RATE_LIMIT_WINDOW', '0', 'RATE_LIMIT_WINDOW: got "0", takes a whole number from 1 to 86400'],
    ['MAINTENANCE', 'yes', 'MAINTENANCE: got "yes", takes true or false'],
    [
      'CORS_ORIGINS',
      '*',
      'CORS_ORIGINS: got "*", takes origins such as https://app.example.com, without a path',
    ],
    [
      'TRUST_PROXY',
      'true',
      'TRUST_PROXY: got "true", takes a hop count, or addresses and ranges such as 10.0.0.0/8',
    ],
    ['ADMIN_EMAIL', 'root', 'ADMIN_EMAIL: got "root", takes an e-mail address'],
    [
      'LOG_LEVEL',
      'loud',
      'LOG_LEVEL: got "loud", takes one of trace, debug, info, warn, error, fatal, silent',
    ],
  ])('%s=%s', (name, value, line) => {
    expect(faultsOf({ [name]: value })).toEqual([line]);
  });

  test('all of them in one go, one line each, in the order of the table', () => {
    const faults = faultsOf({ PORT: 'x', RATE_LIMIT: 'y', NODE_ENV: 'z', MAINTENANCE: '1' });
    expect(faults.map((line) => line.split(':')[0])).toEqual([
      'NODE_ENV',
      'PORT',
      'RATE_LIMIT',
      'MAINTENANCE',
    ]);
  });

  test('contradictions are told together with faulty values', () => {
    const faults = faultsOf({ NODE_ENV: 'production', PORT: 'x', TLS_CERT_FILE: 'cert.pem' });
    expect(faults.map((line) => line.split(':')[0])).toEqual([
      'PORT',
      'DATABASE_URL',
      'JWT_SECRET',
      'TLS_KEY_FILE',
    ]);
  });

  test('a faulty value is no missing one besides', () => {
    const faults = faultsOf({ NODE_ENV: 'production', DATABASE_URL: 'db', JWT_SECRET: 'short' });
    expect(faults).toEqual([
      'DATABASE_URL: got a value, takes postgres://user:password@host:port/database',
      'JWT_SECRET: got a value, takes secrets of at least 32 bytes each',
    ]);
    expect(faultsOf({ API_V1_DEPRECATED_AT: 'soon', API_V1_SUNSET_AT: '2027-01-01' })).toHaveLength(1);
  });

  test('a line stays one line', () => {
    expect(faultsOf({ PORT: '1\n2' })).toEqual(['PORT: got "1\\n2", takes a whole number from 0 to 65535']);
  });

  test.each([
    ['DATABASE_URL', 'mysql://root:hunter22@db/app'],
    ['JWT_SECRET', `hunter22,${SECRET}`],
    ['ADMIN_PASSWORD', 'hunter2'],
  ])('%s is never printed', (name, value) => {
    const [line, ...others] = faultsOf({ [name]: value });
    expect(others).toEqual([]);
    expect(line).toMatch(new RegExp(`^${name}: got a value, takes `));
    expect(line).not.toContain('hunter2');
  });

  test.each(['PUBLIC_URL', 'SMTP_URL', 'SMTP_URL_FILE', 'MAIL_FROM', 'MAIL'])(
    '%s, which is not served yet, is not ignored',
    (name) => {
      expect(faultsOf({ [name]: 'x' })).toEqual([`${name}: set, but this release does not serve it`]);
    },
  );

  test('another error than a rejected value is not swallowed', () => {
    expect(() => readConfig({}, noSecret)).toThrow('no development secret was wanted');
  });
});
