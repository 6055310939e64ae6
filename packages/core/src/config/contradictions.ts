import { isObviousPassword } from './common-passwords.js';
import { Settings } from './config.js';

type ContradictionRule = readonly [isBroken: boolean, message: string];

/** Messages about settings that are valid by themselves, but not together. Each begins with the name of its variable. */
export function findContradictions(settings: Settings): string[] {
  const {
    admin,
    environment,
    port,
    database,
    jwt,
    mail,
    session,
    redisUrl,
    tls,
    metricsPort,
    versions,
    workers,
  } = settings;
  const isProduction = environment === 'production';
  const rules: readonly ContradictionRule[] = [
    [isProduction && !database.url, 'DATABASE_URL: is required in production'],
    [
      isProduction && jwt.secrets.length + jwt.privateKeyFiles.length === 0,
      'JWT_SECRET: is required in production, with secrets of at least 32 bytes each, unless JWT_PRIVATE_KEY_FILES is set',
    ],
    [
      isProduction && !mail.smtpUrl && mail.delivery === 'on',
      'SMTP_URL: is required in production, unless MAIL=off',
    ],
    [
      isProduction && admin.password !== undefined && isObviousPassword(admin.password),
      'ADMIN_PASSWORD: must not be a common password in production; leave it unset to generate one',
    ],
    [session.store === 'redis' && !redisUrl, 'REDIS_URL: is required with SESSION_STORE=redis'],
    [
      database.replicaUrls.length > 0 && !database.url,
      'DATABASE_REPLICA_URLS: requires DATABASE_URL, because an embedded server has no replicas',
    ],
    [
      session.store === 'memory' && workers > 1,
      'SESSION_STORE: must be database or redis with several WORKERS, which share no memory (got "memory")',
    ],
    [!!tls.certFile && !tls.keyFile, 'TLS_KEY_FILE: is required with TLS_CERT_FILE'],
    [!tls.certFile && !!tls.keyFile, 'TLS_CERT_FILE: is required with TLS_KEY_FILE'],
    [port > 0 && metricsPort === port, `METRICS_PORT: must differ from PORT (got ${metricsPort})`],
    ...Object.entries(versions).flatMap(([version, dates]) => versionRules(version, dates)),
  ];
  return rules.filter(([isBroken]) => isBroken).map(([, message]) => message);
}

function versionRules(
  version: string,
  { deprecatedAt, sunsetAt }: Settings['versions'][string],
): ContradictionRule[] {
  const [deprecated, sunset] = [`API_V${version}_DEPRECATED_AT`, `API_V${version}_SUNSET_AT`];
  return [
    [!!sunsetAt && !deprecatedAt, `${sunset}: requires ${deprecated}`],
    [
      !!sunsetAt && !!deprecatedAt && sunsetAt < deprecatedAt,
      `${sunset}: must not be before ${deprecated} (RFC 9745 §4)`,
    ],
  ];
}
