import { spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, chownSync, mkdirSync, openSync, closeSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import pg from 'pg';
import { IDS_AS_NUMBERS } from '../../../scripts/lib/ids-as-numbers.mjs';

import { freePort } from '../../../scripts/lib/free-port.mjs';
import {
  serverAccount,
  serverBinaries,
} from '../../../packages/dev/dist/embedded-postgres/server-binaries.js';
import { temporaryFolder } from './cleanup.mjs';
import { descendants, destroy, hasEnded, signal, start } from './processes.mjs';
import { sleep, until } from './waiting.mjs';

/**
 * PostgreSQL does not wait for the disk, which survives every fault here. A killed server loses what it had
 * not passed to the kernel, as in production, because `synchronous_commit` stays on.
 */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: 200,
  shared_buffers: '64MB',
  wal_level: 'minimal',
  max_wal_senders: 0,
  fsync: 'off',
  log_min_messages: 'log',
  // A backend notices the end of its client while it waits or works.
  client_connection_check_interval: '500ms',
};

const PASSWORD = 'faults';

/** A PostgreSQL server of this run, with all faults that can be applied to it. */
export class Cluster {
  #account;
  #binaries;
  #folder;
  #child;
  port;

  constructor(folder) {
    this.#folder = folder;
    this.#account = serverAccount(join(folder, 'data'));
    this.#binaries = serverBinaries(this.#account);
  }

  /**
   * Creates and starts a server.
   * @param scope the scope at whose end it is stopped and removed
   */
  static async create(scope) {
    const cluster = new Cluster(temporaryFolder(scope, 'postgres'));
    scope.defer(() => cluster.destroy());
    cluster.port = await freePort();
    cluster.#initialise();
    await cluster.start();
    return cluster;
  }

  get data() {
    return join(this.#folder, 'data');
  }

  #initialise() {
    chmodSync(this.#folder, 0o755);
    mkdirSync(this.data, { mode: 0o700 });
    const passwordFile = join(this.#folder, 'password');
    appendFileSync(passwordFile, PASSWORD);
    if (this.#account) {
      for (const path of [this.data, passwordFile]) chownSync(path, this.#account.uid, this.#account.gid);
    }
    const run = spawnSync(
      this.#binaries.initdb,
      [
        ...[
          '-D',
          this.data,
          '--username=tester',
          `--pwfile=${passwordFile}`,
          '--auth=scram-sha-256',
          '--no-sync',
        ],
        ...['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
        '--no-instructions',
      ],
      { ...this.#account, cwd: '/', env: { LC_ALL: 'C', PATH: process.env.PATH }, encoding: 'utf8' },
    );
    if (run.status !== 0) throw new Error(`initdb: ${run.error?.message ?? run.stderr}`);
  }

  url(database = 'postgres') {
    return `postgres://tester:${PASSWORD}@127.0.0.1:${this.port}/${database}`;
  }

  /** Starts the server, and returns when it accepts connections. After a crash it recovers first. */
  async start() {
    for (let attempt = 1; ; attempt++) {
      const log = openSync(join(this.#folder, 'server.log'), 'a');
      const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
      const postgres = join(dirname(this.#binaries.initdb), 'postgres');
      this.#child = start(postgres, ['-D', this.data, '-p', String(this.port), ...settings], {
        ...this.#account,
        cwd: '/',
        env: { LC_ALL: 'C', PATH: process.env.PATH },
        stdio: ['ignore', log, log],
        // A signal to this process, such as Ctrl-C, must not reach the server.
        detached: true,
      });
      closeSync(log);
      const child = this.#child;
      const outcome = await until('PostgreSQL starts', async () => hasEnded(child) || this.#answers(), {
        seconds: 60,
      });
      if (outcome === 'yes') return;
      // The children of a killed postmaster take a moment to end.
      if (attempt === 50) throw new Error(`PostgreSQL does not start: ${this.lastWords()}`);
      await sleep(100);
    }
  }

  async untilAnswering() {
    await until('PostgreSQL answers', () => this.#answers(), { seconds: 60 });
  }

  async #answers() {
    const client = new pg.Client({ connectionString: this.url(), connectionTimeoutMillis: 1000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return 'yes';
    } catch {
      return null;
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  lastWords() {
    return readFileSync(join(this.#folder, 'server.log'), 'utf8').trim().split('\n').slice(-3).join(' | ');
  }

  get isRunning() {
    return this.#child !== undefined && !hasEnded(this.#child);
  }

  /**
   * Stops the server. SIGINT shuts it down in order, SIGQUIT crashes it, and SIGKILL leaves its children
   * behind.
   */
  async stop(name) {
    signal(this.#child.pid, name);
    await this.#child.ended;
  }

  /** Freezes every process of the server. */
  freeze() {
    // The postmaster first, so that it starts no more children.
    signal(this.#child.pid, 'SIGSTOP');
    for (const pid of descendants(this.#child.pid)) signal(pid, 'SIGSTOP');
  }

  thaw() {
    for (const pid of [...descendants(this.#child.pid), this.#child.pid]) signal(pid, 'SIGCONT');
  }

  async destroy() {
    if (this.#child) await destroy(this.#child);
  }

  /** Runs a statement on a connection of its own. */
  query(database, text, values) {
    return query(this.url(database), text, values);
  }
}

/** Runs a statement on a connection of its own and returns its rows. */
export async function query(url, text, values) {
  const client = new pg.Client({
    connectionString: url,
    types: IDS_AS_NUMBERS,
    connectionTimeoutMillis: 10_000,
    application_name: 'faults',
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
}
