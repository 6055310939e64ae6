import { PRODUCT } from './product.js';
import { Config } from './config.js';
import { Environment, valueOf } from './environment.js';
import { Rejected } from './parsers.js';
import { withSecretFiles } from './secret-files.js';
import { Variable, VariableName, Values, VARIABLES } from './variables.js';

/** The environment asks for something that cannot be. `faults` has one line for each, naming the variable. */
export class ConfigError extends Error {
  constructor(readonly faults: readonly string[]) {
    super(faults.join('\n'));
    this.name = 'ConfigError';
  }
}

/**
 * Reads the configuration from an environment. Pure but for the files that `…_FILE` variables name.
 *
 * @param environment variables as text; a blank one counts as unset
 * @param developmentSecret gives the JWT secret where none is set and none is required
 * @throws ConfigError with every fault at once
 */
export function readConfig(environment: Environment, developmentSecret: (dataDir: string) => string): Config {
  const faults: string[] = [];
  const env = withSecretFiles(environment, faults);
  const { values, faulty } = readValues(env, faults);
  faults.push(...contradictions(values, faulty));
  if (faults.length > 0) throw new ConfigError(faults);
  const privateKeyFiles = values.JWT_PRIVATE_KEY_FILES ?? [];
  return {
    environment: values.NODE_ENV,
    host: values.HOST,
    port: values.PORT,
    database: {
      url: values.DATABASE_URL,
      migrate: values.DATABASE_MIGRATE,
      poolSize: values.DATABASE_POOL_SIZE,
      statementTimeoutMs: values.DATABASE_STATEMENT_TIMEOUT_MS,
      replicaUrls: values.DATABASE_REPLICA_URLS ?? [],
      replicaLagSeconds: values.REPLICA_LAG_SECONDS,
    },
    dataDir: values.DATA_DIR,
    jwt: {
      secrets: values.JWT_SECRET ?? (privateKeyFiles.length ? [] : [developmentSecret(values.DATA_DIR)]),
      privateKeyFiles,
      accessTokenTtlSeconds: values.ACCESS_TOKEN_TTL,
      refreshTokenTtlSeconds: values.REFRESH_TOKEN_TTL,
    },
    redisUrl: values.REDIS_URL,
    session: { store: values.SESSION_STORE, ttlSeconds: values.SESSION_TTL },
    anonymousRole: values.ANONYMOUS_ROLE,
    rateLimit: { limit: values.RATE_LIMIT, windowSeconds: values.RATE_LIMIT_WINDOW },
    loginRateLimit: values.LOGIN_RATE_LIMIT,
    corsOrigins: values.CORS_ORIGINS ?? [],
    trustProxy: values.TRUST_PROXY ?? false,
    tls:
      values.TLS_CERT_FILE && values.TLS_KEY_FILE
        ? { certFile: values.TLS_CERT_FILE, keyFile: values.TLS_KEY_FILE }
        : undefined,
    maxInFlight: values.MAX_IN_FLIGHT,
    shutdownDelayMs: values.SHUTDOWN_DELAY_MS,
    docs: values.DOCS,
    hsts: values.HSTS,
    maintenance: values.MAINTENANCE,
    v1: { deprecatedAt: values.API_V1_DEPRECATED_AT, sunsetAt: values.API_V1_SUNSET_AT },
    admin: { email: values.ADMIN_EMAIL ?? `admin@${PRODUCT.emailDomain}`, password: values.ADMIN_PASSWORD },
    metricsPort: values.METRICS_PORT,
    workers: values.WORKERS,
    isTraced: values.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined,
    logLevel: values.LOG_LEVEL,
  };
}

function readValues(
  env: Environment,
  faults: string[],
): { values: Values; faulty: ReadonlySet<VariableName> } {
  const faulty = new Set<VariableName>();
  const values: Partial<Record<VariableName, unknown>> = {};
  for (const name of Object.keys(VARIABLES) as VariableName[]) {
    const variable: Variable<unknown> = VARIABLES[name];
    const text = valueOf(env, name) ?? variable.default;
    if (text === undefined) continue;
    try {
      values[name] = variable.parse(text);
    } catch (error) {
      if (!(error instanceof Rejected)) throw error;
      faulty.add(name);
      faults.push(
        `${name}: got ${variable.isSecret ? 'a value' : JSON.stringify(text)}, takes ${error.message}`,
      );
    }
  }
  return { values: values as Values, faulty };
}

/** Combinations of variables that contradict each other. A faulty value counts as set. */
function* contradictions(values: Values, faulty: ReadonlySet<VariableName>): Generator<string> {
  if (values.NODE_ENV === 'production') {
    if (!values.DATABASE_URL && !faulty.has('DATABASE_URL'))
      yield 'DATABASE_URL: unset, but production takes a PostgreSQL server of its own';
    if (!values.JWT_SECRET && !faulty.has('JWT_SECRET') && !values.JWT_PRIVATE_KEY_FILES?.length) {
      yield 'JWT_SECRET: unset, but production takes secrets of at least 32 bytes each, or JWT_PRIVATE_KEY_FILES';
    }
  }
  if (values.JWT_SECRET?.length === 0) yield 'JWT_SECRET: got only commas, takes at least one secret';
  if (values.SESSION_STORE === 'redis' && !values.REDIS_URL && !faulty.has('REDIS_URL')) {
    yield 'REDIS_URL: unset, but SESSION_STORE=redis takes redis://host:port';
  }
  if (values.DATABASE_REPLICA_URLS && !values.DATABASE_URL && !faulty.has('DATABASE_URL'))
    yield 'DATABASE_REPLICA_URLS: set, but takes DATABASE_URL beside it: an embedded server has no replicas';
  if (values.SESSION_STORE === 'memory' && values.WORKERS > 1)
    yield `SESSION_STORE: got "memory", which ${values.WORKERS} WORKERS do not share; takes database or redis`;
  if (Boolean(values.TLS_CERT_FILE) !== Boolean(values.TLS_KEY_FILE)) {
    yield `${values.TLS_CERT_FILE ? 'TLS_KEY_FILE' : 'TLS_CERT_FILE'}: unset, but the other of the pair is set`;
  }
  if (values.METRICS_PORT && values.METRICS_PORT === values.PORT)
    yield 'METRICS_PORT: is that of PORT, takes another one';
  const { API_V1_DEPRECATED_AT: deprecatedAt, API_V1_SUNSET_AT: sunsetAt } = values;
  if (sunsetAt && !deprecatedAt && !faulty.has('API_V1_DEPRECATED_AT'))
    yield 'API_V1_SUNSET_AT: set, but takes API_V1_DEPRECATED_AT beside it';
  if (sunsetAt && deprecatedAt && sunsetAt < deprecatedAt) {
    yield 'API_V1_SUNSET_AT: is before API_V1_DEPRECATED_AT (RFC 9745 §4), takes a later date';
  }
}
