import { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { z } from 'zod';

import { isObviousPassword } from './common-passwords.js';
import * as kinds from './setting-schemas.js';
import { PRODUCT } from './product.js';

const { env, secret } = kinds;

const seconds = kinds.wholeNumber(1, 31_536_000);

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export const SETTINGS = {
  environment: env('NODE_ENV', kinds.oneOf(['development', 'test', 'production']).default('development')),
  host: env('HOST', kinds.anyText.default('127.0.0.1')),
  port: env('PORT', kinds.wholeNumber(0, 65_535).default(3000)),
  database: {
    url: secret('DATABASE_URL', kinds.postgresUrl.optional()),
    migrate: env('DATABASE_MIGRATE', kinds.trueOrFalse.default(true)),
    poolSize: env('DATABASE_POOL_SIZE', kinds.wholeNumber(1, 1000).default(10)),
    statementTimeoutMs: env('DATABASE_STATEMENT_TIMEOUT_MS', kinds.wholeNumber(10, 3_600_000).default(5000)),
    replicaUrls: secret('DATABASE_REPLICA_URLS', kinds.commaSeparated(kinds.postgresUrl).default([])),
    replicaLagSeconds: env('REPLICA_LAG_SECONDS', kinds.wholeNumber(1, 3_600).default(5)),
  },
  dataDir: env('DATA_DIR', kinds.anyText.default('.data')),
  jwt: {
    secrets: secret(
      'JWT_SECRET',
      kinds
        .commaSeparated(kinds.keySecret)
        .refine(({ length }) => length > 0, 'at least one secret')
        .default([]),
    ),
    privateKeyFiles: env('JWT_PRIVATE_KEY_FILES', kinds.commaSeparated(kinds.anyText).default([])),
    accessTokenTtlSeconds: env('ACCESS_TOKEN_TTL', seconds.default(900)),
    refreshTokenTtlSeconds: env('REFRESH_TOKEN_TTL', seconds.default(604_800)),
  },
  redisUrl: secret('REDIS_URL', kinds.redisUrl.optional()),
  session: {
    store: env('SESSION_STORE', kinds.oneOf(['memory', 'database', 'redis']).default('database')),
    ttlSeconds: env('SESSION_TTL', seconds.default(86_400)),
  },
  registration: env('REGISTRATION', kinds.oneOf(['open', 'closed']).default('open')),
  anonymousRole: env('ANONYMOUS_ROLE', kinds.anyText.optional()),
  rateLimit: {
    limit: env('RATE_LIMIT', kinds.wholeNumber(0, 1_000_000_000).default(600)),
    windowSeconds: env('RATE_LIMIT_WINDOW', kinds.wholeNumber(1, 86_400).default(60)),
  },
  loginRateLimit: env('LOGIN_RATE_LIMIT', kinds.wholeNumber(1, 1_000_000_000).default(10)),
  corsOrigins: env('CORS_ORIGINS', kinds.commaSeparated(kinds.origin).default([])),
  trustProxy: env(
    'TRUST_PROXY',
    kinds.trustedProxies.optional().transform((value) => value ?? false),
  ),
  maxInFlight: env('MAX_IN_FLIGHT', kinds.wholeNumber(1, 1_000_000).default(512)),
  shutdownDelayMs: env('SHUTDOWN_DELAY_MS', kinds.wholeNumber(0, 60_000).default(0)),
  docs: env('DOCS', kinds.trueOrFalse.default(true)),
  hsts: env('HSTS', kinds.hsts.prefault('max-age=31536000')),
  tls: {
    certFile: env('TLS_CERT_FILE', kinds.anyText.optional()),
    keyFile: env('TLS_KEY_FILE', kinds.anyText.optional()),
  },
  maintenance: env('MAINTENANCE', kinds.trueOrFalse.default(false)),
  v1: {
    deprecatedAt: env('API_V1_DEPRECATED_AT', kinds.isoDate.optional()),
    sunsetAt: env('API_V1_SUNSET_AT', kinds.isoDate.optional()),
  },
  admin: {
    email: env('ADMIN_EMAIL', kinds.emailAddress.default(`admin@${PRODUCT.emailDomain}`)),
    password: secret('ADMIN_PASSWORD', kinds.password.optional()),
  },
  metricsPort: env('METRICS_PORT', kinds.wholeNumber(0, 65_535).optional()),
  workers: env('WORKERS', kinds.workerCount.default(1)),
  /** Whether spans are sent to a collector; OpenTelemetry's SDK reads its other variables itself. */
  isTraced: env(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    kinds.httpUrl.optional().transform((endpoint) => endpoint !== undefined),
  ),
  publicUrl: env('PUBLIC_URL', kinds.baseUrl.optional()),
  mail: {
    smtpUrl: secret('SMTP_URL', kinds.smtpUrl.optional()),
    from: env('MAIL_FROM', kinds.emailAddress.default(`${PRODUCT.slug}@localhost`)),
    delivery: env('MAIL', kinds.oneOf(['on', 'off']).default('on')),
  },
  logLevel: env('LOG_LEVEL', kinds.oneOf(LOG_LEVELS).default('info')),
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

export function findContradictions(settings: Settings): string[] {
  const { admin, environment, port, database, jwt, mail, session, redisUrl, tls, metricsPort, v1, workers } =
    settings;
  const isProduction = environment === 'production';
  const isContradicted: Readonly<Record<string, boolean>> = {
    'DATABASE_URL: unset, but production takes a PostgreSQL server of its own': isProduction && !database.url,
    'JWT_SECRET: unset, but production takes secrets of at least 32 bytes each, or JWT_PRIVATE_KEY_FILES':
      isProduction && jwt.secrets.length + jwt.privateKeyFiles.length === 0,
    'SMTP_URL: unset, but production takes an SMTP server, or MAIL=off':
      isProduction && !mail.smtpUrl && mail.delivery === 'on',
    'ADMIN_PASSWORD: is a common password, but production takes one that is hard to guess, or generates it':
      isProduction && admin.password !== undefined && isObviousPassword(admin.password),
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

export const mailFolder = (dataDir: string): string => join(dataDir, 'mail');

export function serverUrl({ address, port }: Pick<AddressInfo, 'address' | 'port'>, isTls: boolean): string {
  const host = address.includes(':') ? `[${address}]` : address;
  return `${isTls ? 'https' : 'http'}://${host}:${port}`;
}
