import { DataSourceOptions } from 'typeorm';

import { PRODUCT } from '../config/product.js';
import { DatabaseConfig } from '../config/config.js';
import { serversOf } from '../config/postgres-servers.js';
import { ConnectionPool } from './connection-pool.js';
import { MIGRATIONS } from './migrations/migrations.js';
import { NamingStrategy } from './naming-strategy.js';

/** How long a request waits for a free connection before it is told that the database is busy. */
const CONNECTION_TIMEOUT_MS = 3_000;
/** Beyond the statement's own bound: the server is frozen, not slow. */
const FROZEN_AFTER_MS = 1_000;
const IDLE_IN_TRANSACTION_MS = 10_000;
/** The primary answers what a replica does not. */
const REPLICA_TIMEOUT_MS = 1_000;
const KEEP_ALIVE_AFTER_MS = 20_000;

type ConnectionConfig = Pick<DatabaseConfig, 'poolSize' | 'statementTimeoutMs'> &
  Partial<Pick<DatabaseConfig, 'pooler'>>;

/**
 * How TypeORM connects: every wait is bounded, and times are in UTC whatever the server's own zone.
 */
export function dataSourceOptions(url: string, config: ConnectionConfig): DataSourceOptions {
  const servers = serversOf(url);
  const { pooler = 'none' } = config;
  return {
    type: 'postgres',
    url: servers[0] ?? url,
    // TypeORM takes no more of the driver than this.
    driver: { Pool: ConnectionPool },
    namingStrategy: new NamingStrategy(),
    migrations: MIGRATIONS,
    migrationsTableName: 'migrations',
    // Schema changes are migrations, in every environment.
    synchronize: false,
    installExtensions: false,
    // PostgreSQL's own gen_random_uuid().
    uuidExtension: 'pgcrypto',
    applicationName: PRODUCT.databaseApplication,
    connectTimeoutMS: CONNECTION_TIMEOUT_MS,
    extra: {
      servers,
      max: config.poolSize,
      // A connection is opened when it is needed and then kept: opening costs more than a query.
      idleTimeoutMillis: 60_000,
      pooler,
      // Settings of a session do not survive a pooler: there they are those of the role.
      ...(pooler === 'none' && {
        statement_timeout: config.statementTimeoutMs,
        idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
      }),
      query_timeout: config.statementTimeoutMs + FROZEN_AFTER_MS,
      keepAlive: true,
      // A server that is gone without a word is found out in half a minute, not in two hours.
      keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    },
  };
}

/** The connections to a read replica. */
export function replicaPool(url: string, config: ConnectionConfig): ConnectionPool {
  return new ConnectionPool({
    ...(dataSourceOptions(url, config).extra as object),
    connectionString: url,
    application_name: `${PRODUCT.databaseApplication} reads`,
    connectionTimeoutMillis: REPLICA_TIMEOUT_MS,
  });
}

/** Whether a pooler in transaction mode gives each transaction a session of the server that is shared with others. */
export const sharesSessions = ({ extra }: DataSourceOptions): boolean =>
  (extra as { readonly pooler?: DatabaseConfig['pooler'] }).pooler === 'transaction';

/**
 * The same database and migrations on one connection, and one more for the lock where sessions are shared. They wait
 * for each answer however long it takes.
 */
export function migrationOptions(options: DataSourceOptions): DataSourceOptions {
  return {
    ...options,
    applicationName: `${PRODUCT.databaseApplication} migrations`,
    extra: {
      ...(options.extra as object),
      ...(sharesSessions(options)
        ? { max: 2 }
        : { max: 1, statement_timeout: 0, idle_in_transaction_session_timeout: 0 }),
      query_timeout: 0,
    },
  } as DataSourceOptions;
}
