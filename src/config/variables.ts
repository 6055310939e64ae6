import { LOG_LEVELS, SESSION_STORES } from './config.js';
import * as parse from './parsers.js';

/** One environment variable: how it is read, what it is without being set, and what it means. */
export interface Variable<T> {
  readonly parse: parse.Parser<T>;
  /** As it would be written in the environment; left out where unset means something of its own. */
  readonly default?: string;
  readonly meaning: string;
  /** Its value is never printed, not even where it is faulty. */
  readonly isSecret?: boolean;
}

type Unset = Pick<Variable<never>, 'isSecret'>;

function variable<T, const Options extends Unset & { default?: string } = Unset>(
  parser: parse.Parser<T>,
  meaning: string,
  options?: Options,
): Variable<T> & Options {
  return { parse: parser, meaning, ...(options as Options) };
}

const seconds = parse.integer(1, 31_536_000);

/** Every variable that the service reads. `docs/configuration.md` is checked against this table. */
export const VARIABLES = {
  NODE_ENV: variable(
    parse.oneOf(['development', 'test', 'production']),
    'how strict the service is about where it runs',
    { default: 'development' },
  ),
  HOST: variable(
    parse.text,
    'address to listen on: `localhost` is 127.0.0.1, `::` is every address, of IPv4 too',
    { default: '127.0.0.1' },
  ),
  PORT: variable(parse.integer(0, 65_535), 'port to listen on; 0 takes a free one', { default: '3000' }),
  DATABASE_URL: variable(
    parse.postgresUrl,
    'PostgreSQL 14+; unset: an embedded server under DATA_DIR, refused in production',
    { isSecret: true },
  ),
  DATABASE_MIGRATE: variable(
    parse.flag,
    'false: the service does not migrate, and is not ready while a migration is missing; `npm run migrate` does it',
    { default: 'true' },
  ),
  DATABASE_POOL_SIZE: variable(parse.integer(1, 1000), 'connections per process, to each server', {
    default: '10',
  }),
  DATABASE_STATEMENT_TIMEOUT_MS: variable(
    parse.integer(10, 3_600_000),
    'longest time a statement may take, in milliseconds',
    { default: '5000' },
  ),
  DATABASE_REPLICA_URLS: variable(
    parse.listOf(parse.postgresUrl),
    'read replicas, comma-separated: GET and HEAD go there, but for callers who wrote lately',
    { isSecret: true },
  ),
  REPLICA_LAG_SECONDS: variable(
    parse.integer(1, 3_600),
    'how far a replica may be behind, and how long a caller who wrote reads from the primary, in seconds',
    { default: '5' },
  ),
  DATA_DIR: variable(parse.text, 'folder of the embedded database and of generated development keys', {
    default: '.data',
  }),
  JWT_SECRET: variable(
    parse.listOf(parse.secret),
    'HS256 secrets of 32 bytes or more, comma-separated: the first signs, all verify; generated in development, required in production',
    { isSecret: true },
  ),
  JWT_PRIVATE_KEY_FILES: variable(
    parse.listOf(parse.text),
    'PEM files of EC P-256 or RSA private keys, comma-separated: the first signs, all verify',
  ),
  ACCESS_TOKEN_TTL: variable(seconds, 'life of an access token in seconds', { default: '900' }),
  REFRESH_TOKEN_TTL: variable(seconds, 'life of a refresh token in seconds', { default: '604800' }),
  REDIS_URL: variable(parse.redisUrl, 'Redis for what instances share: rate-limit counters, sessions', {
    isSecret: true,
  }),
  SESSION_STORE: variable(
    parse.oneOf(SESSION_STORES),
    'where sessions are kept: memory is for one process, redis needs REDIS_URL',
    { default: 'database' },
  ),
  SESSION_TTL: variable(seconds, 'seconds after its last use that a session ends', { default: '86400' }),
  ANONYMOUS_ROLE: variable(
    parse.oneOf(['viewer']),
    'viewer: callers without credentials may read products and reviews',
  ),
  RATE_LIMIT: variable(
    parse.integer(0, 1_000_000_000),
    'requests per caller and window; 0 turns the limit off',
    { default: '600' },
  ),
  RATE_LIMIT_WINDOW: variable(parse.integer(1, 86_400), 'length of the window in seconds', { default: '60' }),
  LOGIN_RATE_LIMIT: variable(
    parse.integer(1, 1_000_000_000),
    'failed logins per account and per address in 15 minutes',
    { default: '10' },
  ),
  CORS_ORIGINS: variable(
    parse.listOf(parse.origin),
    'origins that browsers may call from, comma-separated; unset: none',
  ),
  TRUST_PROXY: variable(
    parse.proxies,
    'addresses or hop count whose X-Forwarded-* headers are believed; unset: nobody',
  ),
  MAX_IN_FLIGHT: variable(
    parse.integer(1, 1_000_000),
    'requests at work at once in a process; what comes on top is 503 OVERLOADED',
    { default: '512' },
  ),
  SHUTDOWN_DELAY_MS: variable(
    parse.integer(0, 60_000),
    'after SIGTERM, readiness is 503 this many milliseconds before the port closes, for balancers that poll',
    { default: '0' },
  ),
  DOCS: variable(parse.flag, 'false: /docs and /reference are 404', { default: 'true' }),
  HSTS: variable(parse.hsts, 'value of Strict-Transport-Security; off sends none', {
    default: 'max-age=31536000',
  }),
  TLS_CERT_FILE: variable(parse.text, 'PEM certificate chain; with TLS_KEY_FILE serves HTTPS over HTTP/1.1'),
  TLS_KEY_FILE: variable(parse.text, 'PEM private key of the certificate'),
  MAINTENANCE: variable(parse.flag, 'true: everything but health answers 503', { default: 'false' }),
  API_V1_DEPRECATED_AT: variable(parse.date, 'date from which v1 responses carry Deprecation'),
  API_V1_SUNSET_AT: variable(parse.date, 'date after which v1 answers 410'),
  ADMIN_EMAIL: variable(
    parse.email,
    'e-mail of the first administrator, created when there is none; unset: admin@<product>.local',
  ),
  ADMIN_PASSWORD: variable(parse.password, 'password of the first administrator; unset: generated', {
    isSecret: true,
  }),
  METRICS_PORT: variable(
    parse.integer(0, 65_535),
    'port on HOST that serves Prometheus metrics at /metrics; 0 takes a free one; unset: none',
  ),
  WORKERS: variable(parse.processes, 'processes that share the port; auto: one per core', { default: '1' }),
  OTEL_EXPORTER_OTLP_ENDPOINT: variable(
    parse.httpUrl,
    'collector that spans are sent to, at /v1/traces; unset: no traces',
  ),
  LOG_LEVEL: variable(parse.oneOf(LOG_LEVELS), 'least severe level that is logged', { default: 'info' }),
} as const;

export type VariableName = keyof typeof VARIABLES;

type Value<V> = V extends { default: string; parse: parse.Parser<infer T> }
  ? T
  : V extends Variable<infer T>
    ? T | undefined
    : never;

/** The values of all variables; those without a default may be `undefined`. */
export type Values = { readonly [Name in VariableName]: Value<(typeof VARIABLES)[Name]> };
