import { query } from './cluster.mjs';
import { until } from './waiting.mjs';
import { PRODUCT } from '../../../packages/core/dist/config/product.js';

let made = 0;

/** The database of one experiment. */
export class Database {
  constructor(cluster, name) {
    this.cluster = cluster;
    this.name = name;
  }

  /** Copies the migrated template. */
  static async create(cluster, scope, template) {
    const name = `faults_${++made}`;
    // With the default strategy, which writes blocks to the log, a sequence could repeat numbers after a
    // crash: it assumes that the log contains its next 32 values, but the log only has those of the template.
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

  /** The connections of services, as PostgreSQL reports them. */
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
   * Waits until no transaction of the services is open, so that each is either committed or gone. This may
   * take more than 10 s, after which PostgreSQL itself ends an idle transaction.
   */
  async settled() {
    await until(
      'every transaction of the services has ended',
      async () => (await this.connections()).every(({ isInTransaction }) => !isInTransaction),
      { seconds: 20, everyMs: 100 },
    );
  }
}
