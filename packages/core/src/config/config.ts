import { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { z } from 'zod';

import * as kinds from './setting-schemas.js';
import { PRODUCT } from './product.js';

const { env, secret } = kinds;

const seconds = kinds.wholeNumber(1, 31_536_000);

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** All environment variables of the service, by the property of `Config` that holds the value. */
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
  admin: {
    email: env('ADMIN_EMAIL', kinds.emailAddress.default(`admin@${PRODUCT.emailDomain}`)),
    password: secret('ADMIN_PASSWORD', kinds.password.optional()),
  },
  metricsPort: env('METRICS_PORT', kinds.wholeNumber(0, 65_535).optional()),
  workers: env('WORKERS', kinds.workerCount.default(1)),
  /** Whether spans are sent to a collector. OpenTelemetry's SDK reads its other variables itself. */
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

/** The variables of one version of the API, such as `API_V1_DEPRECATED_AT` and `API_V1_SUNSET_AT`. */
export const versionSettings = (version: string) => ({
  deprecatedAt: env(`API_V${version}_DEPRECATED_AT`, kinds.isoDate.optional()),
  sunsetAt: env(`API_V${version}_SUNSET_AT`, kinds.isoDate.optional()),
});

/** The values of a tree of settings, such as `SETTINGS`. */
export type ValuesOf<Tree> = {
  readonly [K in keyof Tree]: Tree[K] extends kinds.Setting<infer S> ? z.output<S> : ValuesOf<Tree[K]>;
};
export type Settings = ValuesOf<typeof SETTINGS> & {
  /** The dates of the versions of the API that the environment names. */
  readonly versions: Readonly<Record<string, ValuesOf<ReturnType<typeof versionSettings>>>>;
};

/** The validated configuration of the service. Inject `ConfigService<Config, true>` of @nestjs/config to read it. */
export interface Config extends Omit<Settings, 'tls'> {
  readonly tls: { readonly certFile: string; readonly keyFile: string } | undefined;
}
export type DatabaseConfig = Config['database'];
export type RateLimitConfig = Config['rateLimit'];

/** The folder for mails that are written to files instead of being sent. */
export const mailFolder = (dataDir: string): string => join(dataDir, 'mail');

/** The URL of a server that listens at an address. @example 'http://127.0.0.1:3000' */
export function serverUrl({ address, port }: Pick<AddressInfo, 'address' | 'port'>, isTls: boolean): string {
  const host = address.includes(':') ? `[${address}]` : address;
  return `${isTls ? 'https' : 'http'}://${host}:${port}`;
}
