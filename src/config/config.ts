/** The configuration of the service, typed and validated. Inject it by this class. */
export abstract class Config {
  abstract readonly environment: 'development' | 'test' | 'production';
  abstract readonly host: string;
  /** 0 takes a free port. */
  abstract readonly port: number;
  abstract readonly database: DatabaseConfig;
  /** Folder of the embedded database and of generated development keys. */
  abstract readonly dataDir: string;
  abstract readonly jwt: JwtConfig;
  /** Redis, which instances share besides the database; `undefined`: each counts for itself. */
  abstract readonly redisUrl: string | undefined;
  abstract readonly session: SessionConfig;
  /** Role of callers without credentials; `undefined`: they may read nothing. */
  abstract readonly anonymousRole: 'viewer' | undefined;
  abstract readonly rateLimit: RateLimitConfig;
  /** Failed logins per account and per address in 15 minutes. */
  abstract readonly loginRateLimit: number;
  /** Origins that browsers may call from; empty: same-origin only. */
  abstract readonly corsOrigins: readonly string[];
  /** Whose `X-Forwarded-*` is believed: addresses or CIDR ranges, or how many hops; `false`: nobody's. */
  abstract readonly trustProxy: readonly string[] | number | false;
  abstract readonly tls: { readonly certFile: string; readonly keyFile: string } | undefined;
  /** Requests at work at once in this process before further ones are refused. */
  abstract readonly maxInFlight: number;
  /** Milliseconds from SIGTERM, and readiness being 503, to the closing of the port. */
  abstract readonly shutdownDelayMs: number;
  /** Whether `/docs` and `/reference` are served. */
  abstract readonly docs: boolean;
  /** Value of `Strict-Transport-Security`; `undefined`: none is sent. */
  abstract readonly hsts: string | undefined;
  /** Everything but health answers 503. */
  abstract readonly maintenance: boolean;
  abstract readonly v1: { readonly deprecatedAt: Date | undefined; readonly sunsetAt: Date | undefined };
  /** The first administrator, created when there is none. */
  abstract readonly admin: { readonly email: string; readonly password: string | undefined };
  /** Port of the metrics, 0 for a free one; `undefined`: none are collected. */
  abstract readonly metricsPort: number | undefined;
  /** Processes that share the port. */
  abstract readonly workers: number;
  /** `undefined`: nothing is traced. */
  /** Whether spans are sent to a collector. */
  abstract readonly isTraced: boolean;
  abstract readonly logLevel: LogLevel;
}

export interface DatabaseConfig {
  /** `undefined`: the embedded server under `dataDir`. */
  readonly url: string | undefined;
  /** Whether the service brings the schema up to date when it starts. */
  readonly migrate: boolean;
  /** Connections per process. */
  readonly poolSize: number;
  readonly statementTimeoutMs: number;
  /** Read replicas; empty: everything is read from the primary. */
  readonly replicaUrls: readonly string[];
  /** How far a replica may be behind, and how long a caller who wrote reads from the primary. */
  readonly replicaLagSeconds: number;
}

export interface JwtConfig {
  /** HS256 secrets of at least 32 bytes: the first signs, all verify. */
  readonly secrets: readonly string[];
  /** PEM files of EC P-256 or RSA keys: the first signs, before any secret; all verify. */
  readonly privateKeyFiles: readonly string[];
  readonly accessTokenTtlSeconds: number;
  readonly refreshTokenTtlSeconds: number;
}

export const SESSION_STORES = ['memory', 'database', 'redis'] as const;

export interface SessionConfig {
  readonly store: (typeof SESSION_STORES)[number];
  /** Seconds after its last use that a session ends. */
  readonly ttlSeconds: number;
}

export interface RateLimitConfig {
  /** Requests per caller and window; 0: no limit. */
  readonly limit: number;
  readonly windowSeconds: number;
}

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
