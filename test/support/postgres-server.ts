import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { DataSource } from 'typeorm';

import { PRODUCT } from '../../src/config/product.js';
import {
  EmbeddedDatabase,
  openEmbeddedDatabase,
  removeEmbeddedDatabase,
} from '../../packages/embedded-postgres-server/embedded-database.js';
import { dataSourceOptions } from '../../src/database/data-source-options.js';
import { migrate } from '../../src/database/migrate.js';
import { MIGRATIONS } from '../../src/migrations/migrations.js';
import { freePort } from '../../scripts/lib/free-port.mjs';
import { run } from './databases.js';

/** A PostgreSQL server that a test has for itself: to freeze, to stop, and to end the sessions of. */
export class PostgresServer {
  private frozen: number[] = [];

  private constructor(
    private readonly directory: string,
    private server: EmbeddedDatabase,
  ) {}

  /** A server that runs, with an empty database. */
  static async start(): Promise<PostgresServer> {
    const directory = mkdtempSync(join(tmpdir(), 'service-postgres-'));
    const port = await freePort();
    const server = await openEmbeddedDatabase({ directory, port, durable: false, log: () => undefined });
    return new PostgresServer(directory, server);
  }

  get url(): string {
    return this.server.url;
  }

  /** Runs a statement on a connection of its own. */
  query<Row extends object = Record<string, unknown>>(text: string, values: unknown[] = []): Promise<Row[]> {
    return run<Row>(this.url, text, values);
  }

  async migrate(): Promise<void> {
    const settings = { poolSize: 2, statementTimeoutMs: 60_000 };
    const dataSource = await new DataSource(dataSourceOptions(this.url, settings)).initialize();
    try {
      await migrate(dataSource, MIGRATIONS);
    } finally {
      await dataSource.destroy();
    }
  }

  /** Stops all of its processes where they are (SIGSTOP): connections stay, and nothing is answered. */
  async freeze(): Promise<void> {
    const [row] = await this.query<{ pid: number }>(
      `select split_part(pg_read_file('postmaster.pid'), chr(10), 1)::int as pid`,
    );
    const sessions = await this.query<{ pid: number }>('select pid from pg_stat_activity');
    this.frozen = [row!.pid, ...sessions.map(({ pid }) => pid)].filter(signalled('SIGSTOP'));
  }

  thaw(): void {
    this.frozen.filter(signalled('SIGCONT'));
    this.frozen = [];
  }

  /** Ends the sessions of the service, as an administrator or a failover does. @returns how many */
  async terminateSessions(): Promise<number> {
    const text = `
      select pg_terminate_backend(pid) from pg_stat_activity
      where application_name like '${PRODUCT.databaseApplication}%' and pid <> pg_backend_pid()`;
    return (await this.query(text)).length;
  }

  /** Stops it in order but without waiting for sessions (`stop -m fast`). */
  async stop(): Promise<void> {
    await this.server.stop();
  }

  /** Starts it again, on the same port. */
  async startAgain(): Promise<void> {
    const port = Number(new URL(this.url).port);
    const { directory } = this;
    this.server = await openEmbeddedDatabase({ directory, port, durable: false, log: () => undefined });
    if (Number(new URL(this.url).port) !== port) throw new Error(`the port ${port} was taken meanwhile`);
  }

  async remove(): Promise<void> {
    this.thaw();
    await this.server.stop();
    await removeEmbeddedDatabase(this.directory);
  }
}

/** Sends a signal to processes; those that are gone are left out. */
const signalled =
  (signal: NodeJS.Signals) =>
  (pid: number): boolean => {
    try {
      return process.kill(pid, signal);
    } catch {
      return false;
    }
  };
