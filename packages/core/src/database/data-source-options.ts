import { DataSourceOptions, DefaultNamingStrategy, Table } from 'typeorm';

import { DatabaseConfig } from '../config/config.js';
import { readPostgresUrl } from '../config/postgres-url.js';
import { PRODUCT } from '../config/product.js';
import { ConnectionPool } from './connection-pool.js';
import { BASE_MIGRATIONS } from './migrations/migrations.js';

const CONNECTION_TIMEOUT_MS = 3_000;
/**
 * How long the client waits after `statement_timeout`. If the server has not ended the statement by then, the server is
 * frozen, not slow.
 */
const FROZEN_AFTER_MS = 1_000;
/** Short, because the primary runs the query if a replica accepts no connection. */
const REPLICA_TIMEOUT_MS = 1_000;

type PoolSettings = Pick<DatabaseConfig, 'poolSize' | 'statementTimeoutMs'>;

const poolOptions = ({ poolSize, statementTimeoutMs }: PoolSettings) => ({
  max: poolSize,
  // Idle connections are kept for a minute, because opening a connection costs more than a query.
  idleTimeoutMillis: 60_000,
  timeouts: { statement_timeout: statementTimeoutMs, idle_in_transaction_session_timeout: 10_000 },
  query_timeout: statementTimeoutMs + FROZEN_AFTER_MS,
  keepAlive: true,
  // A server that has vanished is noticed after half a minute. With the default, it would take two hours.
  keepAliveInitialDelayMillis: 20_000,
});

export function dataSourceOptions(url: string, config: PoolSettings): DataSourceOptions {
  return {
    type: 'postgres',
    url,
    // TypeORM reads the name of the database from the URL. The other properties of `extra` are for the pool.
    // TypeORM uses only the property `Pool` of this object.
    driver: { Pool: ConnectionPool },
    namingStrategy: new NamingStrategy(),
    migrations: BASE_MIGRATIONS,
    installExtensions: false,
    // TypeORM then uses `gen_random_uuid()`, which is built into PostgreSQL.
    uuidExtension: 'pgcrypto',
    applicationName: PRODUCT.slug,
    connectTimeoutMS: CONNECTION_TIMEOUT_MS,
    extra: { ...poolOptions(config), ...readPostgresUrl(url) },
  };
}

export function replicaPool(url: string, config: PoolSettings): ConnectionPool {
  return new ConnectionPool({
    ...poolOptions(config),
    ...readPostgresUrl(url),
    application_name: `${PRODUCT.slug} reads`,
    connectionTimeoutMillis: REPLICA_TIMEOUT_MS,
  });
}

const snakeCase = (name: string): string =>
  name.replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();

/**
 * Gives entities the same names as migrations: columns in snake_case, constraints as PostgreSQL names them by default.
 */
class NamingStrategy extends DefaultNamingStrategy {
  override columnName(property: string, given: string | undefined, prefixes: string[]): string {
    return [...prefixes.map(snakeCase), given ?? snakeCase(property)].join('_');
  }

  override primaryKeyName(table: Table | string): string {
    return `${this.getTableName(table)}_pkey`;
  }

  override uniqueConstraintName(table: Table | string, columns: string[]): string {
    return `${this.getTableName(table)}_${columns.join('_')}_key`;
  }

  override foreignKeyName(table: Table | string, columns: string[]): string {
    return `${this.getTableName(table)}_${columns.join('_')}_fkey`;
  }

  override indexName(table: Table | string, columns: string[]): string {
    return `${this.getTableName(table)}_${columns.join('_')}_idx`;
  }
}
