import { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { z } from 'zod';

import * as kinds from './kinds.js';
import { PRODUCT } from './product.js';

const {
  baseUrl,
  date,
  email,
  env,
  flag,
  httpUrl,
  hsts,
  integer,
  keySecret,
  listOf,
  oneOf,
  origin,
  password,
} = kinds;
const { postgresUrl, processes, proxies, redisUrl, secret, smtpUrl, text } = kinds;

const seconds = integer(1, 31_536_000);

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export const SETTINGS = {
  environment: env('NODE_ENV', oneOf(['development', 'test', 'production']).default('development')),
  host: env('HOST', text.default('127.0.0.1')),
  port: env('PORT', integer(0, 65_535).default(3000)),
  database: {
    url: secret('DATABASE_URL', postgresUrl.optional()),
    migrate: env('DATABASE_MIGRATE', flag.default(true)),
    poolSize: env('DATABASE_POOL_SIZE', integer(1, 1000).default(10)),
    statementTimeoutMs: env('DATABASE_STATEMENT_TIMEOUT_MS', integer(10, 3_600_000).default(5000)),
    replicaUrls: secret('DATABASE_REPLICA_URLS', listOf(postgresUrl).default([])),
    replicaLagSeconds: env('REPLICA_LAG_SECONDS', integer(1, 3_600).default(5)),
  },
  dataDir: env('DATA_DIR', text.default('.data')),
  jwt: {
    secrets: secret(
      'JWT_SECRET',
      listOf(keySecret)
        .refine(({ length }) => length > 0, 'at least one secret')
        .default([]),
    ),
    privateKeyFiles: env('JWT_PRIVATE_KEY_FILES', listOf(text).default([])),
    accessTokenTtlSeconds: env('ACCESS_TOKEN_TTL', seconds.default(900)),
    refreshTokenTtlSeconds: env('REFRESH_TOKEN_TTL', seconds.default(604_800)),
  },
  redisUrl: secret('REDIS_URL', redisUrl.optional()),
  session: {
    store: env('SESSION_STORE', oneOf(['memory', 'database', 'redis']).default('database')),
    ttlSeconds: env('SESSION_TTL', seconds.default(86_400)),
  },
  anonymousRole: env('ANONYMOUS_ROLE', text.optional()),
  rateLimit: {
    limit: env('RATE_LIMIT', integer(0, 1_000_000_000).default(600)),
    windowSeconds: env('RATE_LIMIT_WINDOW', integer(1, 86_400).default(60)),
  },
  loginRateLimit: env('LOGIN_RATE_LIMIT', integer(1, 1_000_000_000).default(10)),
  corsOrigins: env('CORS_ORIGINS', listOf(origin).default([])),
  trustProxy: env(
    'TRUST_PROXY',
    proxies.optional().transform((value) => value ?? false),
  ),
  maxInFlight: env('MAX_IN_FLIGHT', integer(1, 1_000_000).default(512)),
  shutdownDelayMs: env('SHUTDOWN_DELAY_MS', integer(0, 60_000).default(0)),
  docs: env('DOCS', flag.default(true)),
  hsts: env('HSTS', hsts.prefault('max-age=31536000')),
  tls: {
    certFile: env('TLS_CERT_FILE', text.optional()),
    keyFile: env('TLS_KEY_FILE', text.optional()),
  },
  maintenance: env('MAINTENANCE', flag.default(false)),
  v1: {
    deprecatedAt: env('API_V1_DEPRECATED_AT', date.optional()),
    sunsetAt: env('API_V1_SUNSET_AT', date.optional()),
  },
  admin: {
    email: env('ADMIN_EMAIL', email.default(`admin@${PRODUCT.emailDomain}`)),
    password: secret('ADMIN_PASSWORD', password.optional()),
  },
  metricsPort: env('METRICS_PORT', integer(0, 65_535).optional()),
  workers: env('WORKERS', processes.default(1)),
  /** Whether spans are sent to a collector; OpenTelemetry's SDK reads its other variables itself. */
  isTraced: env(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    httpUrl.optional().transform((endpoint) => endpoint !== undefined),
  ),
  /** Where people reach the service or its pages. */
  publicUrl: env('PUBLIC_URL', baseUrl.optional()),
  mail: {
    smtpUrl: secret('SMTP_URL', smtpUrl.optional()),
    from: env('MAIL_FROM', email.default(`${PRODUCT.slug}@localhost`)),
    delivery: env('MAIL', oneOf(['on', 'off']).default('on')),
  },
  logLevel: env('LOG_LEVEL', oneOf(LOG_LEVELS).default('info')),
};

export type ValuesOf<Tree> = {
  readonly [K in keyof Tree]: Tree[K] extends kinds.Setting<infer S> ? z.output<S> : ValuesOf<Tree[K]>;
};
export type Settings = ValuesOf<typeof SETTINGS>;

/** The configuration of the service, typed and validated. Inject `ConfigService<Config, true>` of @nestjs/config. */
export interface Config extends Omit<Settings, 'tls'> {
  readonly tls: { readonly certFile: string; readonly keyFile: string } | undefined;
}
export type DatabaseConfig = Config['database'];
export type RateLimitConfig = Config['rateLimit'];

/** Settings that contradict each other, a line for each. */
export function contradictionsIn(settings: Settings): string[] {
  const { environment, port, database, jwt, mail, session, redisUrl, tls, metricsPort, v1, workers } =
    settings;
  const isProduction = environment === 'production';
  const isContradicted: Readonly<Record<string, boolean>> = {
    'DATABASE_URL: unset, but production takes a PostgreSQL server of its own': isProduction && !database.url,
    'JWT_SECRET: unset, but production takes secrets of at least 32 bytes each, or JWT_PRIVATE_KEY_FILES':
      isProduction && jwt.secrets.length + jwt.privateKeyFiles.length === 0,
    'SMTP_URL: unset, but production takes an SMTP server, or MAIL=off':
      isProduction && !mail.smtpUrl && mail.delivery === 'on',
    'REDIS_URL: unset, but SESSION_STORE=redis takes redis://host:port':
      session.store === 'redis' && !redisUrl,
    'DATABASE_REPLICA_URLS: set, but takes DATABASE_URL beside it: an embedded server has no replicas':
      database.replicaUrls.length > 0 && !database.url,
    'SESSION_STORE: got "memory", which several WORKERS do not share; takes database or redis':
      session.store === 'memory' && workers > 1,
    'TLS_KEY_FILE: unset, but TLS_CERT_FILE is set': !!tls.certFile && !tls.keyFile,
    'TLS_CERT_FILE: unset, but TLS_KEY_FILE is set': !tls.certFile && !!tls.keyFile,
    'METRICS_PORT: is that of PORT, takes another one': port > 0 && metricsPort === port,
    'API_V1_SUNSET_AT: set, but takes API_V1_DEPRECATED_AT beside it': !!v1.sunsetAt && !v1.deprecatedAt,
    'API_V1_SUNSET_AT: is before API_V1_DEPRECATED_AT (RFC 9745 §4), takes a later date':
      !!v1.sunsetAt && !!v1.deprecatedAt && v1.sunsetAt < v1.deprecatedAt,
  };
  return Object.keys(isContradicted).filter((line) => isContradicted[line]);
}

/** Where mails are written without `SMTP_URL`. */
export const mailFolder = (dataDir: string): string => join(dataDir, 'mail');

/** The URL of a server that listens. */
export function urlOf({ address, port }: Pick<AddressInfo, 'address' | 'port'>, isTls: boolean): string {
  const host = address.includes(':') ? `[${address}]` : address;
  return `${isTls ? 'https' : 'http'}://${host}:${port}`;
}
