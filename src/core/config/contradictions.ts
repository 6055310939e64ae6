import { Settings } from './config.js';

/** Combinations that contradict each other: the variables, the condition, and what is wrong with the first of them. */
export const CONTRADICTIONS: readonly [readonly string[], (settings: Settings) => boolean, string][] = [
  [
    ['DATABASE_URL'],
    ({ environment, database }) => environment === 'production' && !database.url,
    'unset, but production takes a PostgreSQL server of its own',
  ],
  [
    ['JWT_SECRET', 'JWT_PRIVATE_KEY_FILES'],
    ({ environment, jwt }) =>
      environment === 'production' && jwt.secrets.length + jwt.privateKeyFiles.length === 0,
    'unset, but production takes secrets of at least 32 bytes each, or JWT_PRIVATE_KEY_FILES',
  ],
  [
    ['REDIS_URL', 'SESSION_STORE'],
    ({ session, redisUrl: url }) => session.store === 'redis' && !url,
    'unset, but SESSION_STORE=redis takes redis://host:port',
  ],
  [
    ['DATABASE_REPLICA_URLS', 'DATABASE_URL'],
    ({ database }) => database.replicaUrls.length > 0 && !database.url,
    'set, but takes DATABASE_URL beside it: an embedded server has no replicas',
  ],
  [
    ['SESSION_STORE', 'WORKERS'],
    ({ session, workers }) => session.store === 'memory' && workers > 1,
    'got "memory", which several WORKERS do not share; takes database or redis',
  ],
  [
    ['TLS_KEY_FILE', 'TLS_CERT_FILE'],
    ({ tls }) => tls.certFile !== undefined && tls.keyFile === undefined,
    'unset, but TLS_CERT_FILE is set',
  ],
  [
    ['TLS_CERT_FILE', 'TLS_KEY_FILE'],
    ({ tls }) => tls.keyFile !== undefined && tls.certFile === undefined,
    'unset, but TLS_KEY_FILE is set',
  ],
  [
    ['METRICS_PORT', 'PORT'],
    ({ metricsPort, port }) => port > 0 && metricsPort === port,
    'is that of PORT, takes another one',
  ],
  [
    ['API_V1_SUNSET_AT', 'API_V1_DEPRECATED_AT'],
    ({ v1 }) => v1.sunsetAt !== undefined && v1.deprecatedAt === undefined,
    'set, but takes API_V1_DEPRECATED_AT beside it',
  ],
  [
    ['API_V1_SUNSET_AT', 'API_V1_DEPRECATED_AT'],
    ({ v1 }) => v1.sunsetAt !== undefined && v1.deprecatedAt !== undefined && v1.sunsetAt < v1.deprecatedAt,
    'is before API_V1_DEPRECATED_AT (RFC 9745 §4), takes a later date',
  ],
];
