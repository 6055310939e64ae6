import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';

import { PRODUCT } from './product.js';
import { ConfigError, readConfig, listSettings } from './read-config.js';

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

describe('the configuration', () => {
  test('has the defaults for an empty environment', () => {
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
      registration: 'open',
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
      versions: {},
      admin: { email: `admin@${PRODUCT.emailDomain}`, password: undefined },
      workers: 1,
      isTraced: false,
      mail: { smtpUrl: undefined, from: `${PRODUCT.slug}@localhost`, delivery: 'on' },
      logLevel: 'info',
    });
  });

  test('is read from every variable', () => {
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
      REGISTRATION: 'closed',
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
      ADMIN_EMAIL: 'root@example.com',
      ADMIN_PASSWORD: 'correct horse',
      METRICS_PORT: '9464',
      WORKERS: '1',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318',
      PUBLIC_URL: 'https://shop.example/account/',
      SMTP_URL: 'smtps://user:hunter2@mail.example:465',
      MAIL_FROM: 'shop@example.com',
      MAIL: 'on',
      LOG_LEVEL: 'warn',
    };
    expect(Object.keys(env).sort()).toEqual(
      listSettings()
        .map(({ name }) => name)
        .sort(),
    );
    expect(readConfig(env, noSecret)).toMatchObject({
      environment: 'production',
      port: 0,
      database: { url: 'postgres://db/app', migrate: false, replicaUrls: ['postgres://replica/app'] },
      jwt: { secrets: [SECRET, OTHER_SECRET], privateKeyFiles: ['new.pem', 'old.pem'] },
      registration: 'closed',
      anonymousRole: 'viewer',
      corsOrigins: ['https://a.example', 'https://b.example'],
      trustProxy: ['10.0.0.0/8'],
      tls: { certFile: 'cert.pem', keyFile: 'key.pem' },
      hsts: undefined,
      isTraced: true,
    });
  });

  test('reads the dates of each version of the API', () => {
    const env = { API_V1_DEPRECATED_AT: '2027-01-01', API_V1_SUNSET_AT: '2027-07-01', API_V2_SUNSET_AT: '' };
    expect(readConfig(env, () => SECRET).versions).toEqual({
      1: { deprecatedAt: new Date('2027-01-01T00:00:00Z'), sunsetAt: new Date('2027-07-01T00:00:00Z') },
    });
  });

  test('treats a blank variable as unset', () => {
    expect(readConfig({ PORT: '', HOST: '  ', JWT_SECRET: '', TRUST_PROXY: '\t' }, () => SECRET)).toEqual(
      readConfig({}, () => SECRET),
    );
  });

  test('generates no development secret if JWT_SECRET is set', () => {
    expect(readConfig({ JWT_SECRET: SECRET }, noSecret).jwt.secrets).toEqual([SECRET]);
  });
});

describe('a value that is not valid', () => {
  test.each<[string, string, string]>([
    ['NODE_ENV', 'prod', 'NODE_ENV: must be one of development, test, production (got "prod")'],
    ['PORT', '65536', 'PORT: must be a whole number from 0 to 65535 (got "65536")'],
    [
      'CORS_ORIGINS',
      '*',
      'CORS_ORIGINS: must be origins such as https://app.example.com, without a path (got "*")',
    ],
    [
      'TRUST_PROXY',
      'true',
      'TRUST_PROXY: must be a hop count, or addresses and ranges such as 10.0.0.0/8 (got "true")',
    ],
    [
      'LOG_LEVEL',
      'loud',
      'LOG_LEVEL: must be one of trace, debug, info, warn, error, fatal, silent (got "loud")',
    ],
  ])('is reported with the rule of its variable: %s=%s', (name, value, line) => {
    expect(faultsOf({ [name]: value })).toEqual([line]);
  });

  test('is reported with all others at once, one per line, in the order of the documentation', () => {
    const faults = faultsOf({ PORT: 'x', RATE_LIMIT: 'y', NODE_ENV: 'z', MAINTENANCE: '1' });
    expect(faults.map((line) => line.split(':')[0])).toEqual([
      'NODE_ENV',
      'PORT',
      'RATE_LIMIT',
      'MAINTENANCE',
    ]);
  });

  test.each([
    ['DATABASE_URL', 'mysql://root:hunter22@db/app'],
    ['JWT_SECRET', `hunter22,${SECRET}`],
    ['ADMIN_PASSWORD', 'hunter2'],
  ])('is not printed for %s', (name, value) => {
    const [line, ...others] = faultsOf({ [name]: value });
    expect(others).toEqual([]);
    expect(line).toMatch(new RegExp(`^${name}: must be .+ \\(got a secret value\\)$`));
    expect(line).not.toContain('hunter2');
  });

  test('lets errors of other kinds through', () => {
    expect(() => readConfig({}, noSecret)).toThrow('no development secret was wanted');
  });
});

const PRODUCTION: Env = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://app:hunter22@db:5432/app',
  JWT_SECRET: SECRET,
  SMTP_URL: 'smtp://mail',
};

describe('settings that contradict each other', () => {
  test.each<[string, Env, string[]]>([
    ['production with everything that it requires', PRODUCTION, []],
    [
      'production without a database',
      { ...PRODUCTION, DATABASE_URL: undefined },
      ['DATABASE_URL: is required in production'],
    ],
    [
      'production without a secret',
      { ...PRODUCTION, JWT_SECRET: '' },
      [
        'JWT_SECRET: is required in production, with secrets of at least 32 bytes each, unless JWT_PRIVATE_KEY_FILES is set',
      ],
    ],
    [
      'production without a mail server',
      { ...PRODUCTION, SMTP_URL: '' },
      ['SMTP_URL: is required in production, unless MAIL=off'],
    ],
    ...['changeme', 'CHANGEME', 'plinth-admin'].map((ADMIN_PASSWORD): [string, Env, string[]] => [
      `production with the password ${ADMIN_PASSWORD} of the administrator`,
      { ...PRODUCTION, ADMIN_PASSWORD },
      ['ADMIN_PASSWORD: must not be a common password in production; leave it unset to generate one'],
    ]),
    ['development with a common password', { ADMIN_PASSWORD: 'changeme' }, []],
    [
      'a secret of commas',
      { JWT_SECRET: ' , ' },
      ['JWT_SECRET: must be at least one secret (got a secret value)'],
    ],
    ['a certificate and its key', { TLS_CERT_FILE: 'c', TLS_KEY_FILE: 'k' }, []],
    ['a certificate alone', { TLS_CERT_FILE: 'c' }, ['TLS_KEY_FILE: is required with TLS_CERT_FILE']],
    ['a key alone', { TLS_KEY_FILE: 'k' }, ['TLS_CERT_FILE: is required with TLS_KEY_FILE']],
    [
      'a secret that consists of commas',
      { JWT_SECRET: ' , ' },
      ['JWT_SECRET: must be at least one secret (got a secret value)'],
    ],
    ['a certificate and its key', { TLS_CERT_FILE: 'c', TLS_KEY_FILE: 'k' }, []],
    [
      'a certificate without its key',
      { TLS_CERT_FILE: 'c' },
      ['TLS_KEY_FILE: is required with TLS_CERT_FILE'],
    ],
    [
      'a key without its certificate',
      { TLS_KEY_FILE: 'k' },
      ['TLS_CERT_FILE: is required with TLS_KEY_FILE'],
    ],
    [
      'a sunset without a deprecation',
      { API_V1_SUNSET_AT: '2027-01-01' },
      ['API_V1_SUNSET_AT: requires API_V1_DEPRECATED_AT'],
    ],
    [
      'a deprecation and a sunset at the same time',
      { API_V1_DEPRECATED_AT: '2027-01-01', API_V1_SUNSET_AT: '2027-01-01' },
      [],
    ],
    [
      'a sunset before the deprecation',
      { API_V1_DEPRECATED_AT: '2027-01-02', API_V1_SUNSET_AT: '2027-01-01' },
      ['API_V1_SUNSET_AT: must not be before API_V1_DEPRECATED_AT (RFC 9745 §4)'],
    ],
  ])('are reported by name, others are accepted: %s', (_name, env, faults) => {
    expect(faultsOf(env)).toEqual(faults);
  });

  test('include several WORKERS with sessions in memory', () => {
    expect(faultsOf({ WORKERS: '2', SESSION_STORE: 'memory' })).toEqual([
      'SESSION_STORE: must be database or redis with several WORKERS, which share no memory (got "memory")',
    ]);
    expect(faultsOf({ WORKERS: '1', SESSION_STORE: 'memory' })).toEqual([]);
  });
});

describe('WORKERS', () => {
  test.each([
    ['3', 3],
    ['auto', availableParallelism()],
  ])('accepts %s', (WORKERS, workers) => {
    expect(readConfig({ WORKERS }, () => SECRET).workers).toBe(workers);
  });

  test.each(['0', '-1', '1.5', '257', 'all'])('refuses %s', (WORKERS) => {
    expect(faultsOf({ WORKERS })).toEqual([
      `WORKERS: must be a whole number from 1 to 256, or auto (got "${WORKERS}")`,
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

  test('are read without the line break at the end', () => {
    expect(readConfig({ JWT_SECRET_FILE: file(`${SECRET}\n`) }, noSecret).jwt.secrets).toEqual([SECRET]);
    expect(readConfig({ ADMIN_PASSWORD_FILE: file(' a password \n\r\n') }, () => SECRET).admin.password).toBe(
      ' a password \n',
    );
    expect(readConfig({ DATABASE_URL_FILE: file('postgres://db/app') }, () => SECRET).database.url).toBe(
      'postgres://db/app',
    );
    expect(readConfig({ REDIS_URL_FILE: file('redis://db') }, () => SECRET).redisUrl).toBe('redis://db');
  });

  test("include the administrator's password, which must not be a common one in production", () => {
    expect(faultsOf({ ...PRODUCTION, ADMIN_PASSWORD_FILE: file('ChangeMe\n') })).toEqual([
      'ADMIN_PASSWORD: must not be a common password in production; leave it unset to generate one',
    ]);
  });

  test('are not read if the variable of the file is blank', () => {
    expect(readConfig({ JWT_SECRET_FILE: ' ', JWT_SECRET: SECRET }, noSecret).jwt.secrets).toEqual([SECRET]);
  });

  test('are refused, without showing the secret, if the plain variable is set too', () => {
    expect(faultsOf({ JWT_SECRET_FILE: file(SECRET), JWT_SECRET: SECRET })).toEqual([
      'JWT_SECRET_FILE: cannot be combined with JWT_SECRET',
    ]);
  });

  test('are refused if the file cannot be read', () => {
    expect(faultsOf({ JWT_SECRET_FILE: join(folder, 'nowhere') })).toEqual([
      expect.stringMatching(/^JWT_SECRET_FILE: must be a file that can be read \(got ".*nowhere": /),
    ]);
  });
});
