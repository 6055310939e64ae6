import { query } from './cluster.mjs';
import { until } from './waiting.mjs';
import { PRODUCT } from '../../../packages/core/dist/config/product.js';

let made = 0;

/** A database of an experiment's own. */
export class Database {
  constructor(cluster, name) {
    this.cluster = cluster;
    this.name = name;
  }

  /** A copy of the migrated template. */
  static async create(cluster, scope, template) {
    const name = `faults_${++made}`;
    // Copied as blocks in the log, its default, a sequence would give numbers again after a crash that it gave before:
    // it believes that the log knows of the next 32 of them, and what the log knows is those of the template.
    await cluster.query('postgres', `create database ${name} template ${template} strategy file_copy`);
    const database = new Database(cluster, name);
    scope.defer(() => database.drop());
    return database;
  }

  get url() {
    return this.cluster.url(this.name);
  }

  query(text, values) {
    return query(this.url, text, values);
  }

  async drop() {
    if (this.cluster.isRunning)
      await this.cluster.query('postgres', `drop database if exists ${this.name} with (force)`);
  }

  /** The connections of services, as PostgreSQL sees them. */
  connections() {
    return this.cluster.query(
      'postgres',
      `select pid, state, xact_start is not null as "isInTransaction", query from pg_stat_activity
       where datname = $1 and application_name like '${PRODUCT.slug}%'`,
      [this.name],
    );
  }

  /** Ends all connections of services, as an administrator can. */
  endConnections() {
    return this.cluster.query(
      'postgres',
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = $1 and application_name like '${PRODUCT.slug}%'`,
      [this.name],
    );
  }

  /**
   * Until nothing of the services is under way: what is open by then was committed or is never going to be.
   * A transaction that is left idle is ended by PostgreSQL itself after 10 s, so this takes longer.
   */
  async settled() {
    await until(
      'every transaction of the services has ended',
      async () => (await this.connections()).every(({ isInTransaction }) => !isInTransaction),
      { seconds: 20, everyMs: 100 },
    );
  }
}
