import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { query } from './cluster.mjs';
import { Database } from './database.mjs';
import { descendants, signal } from './processes.mjs';
import { PRODUCT } from '../../../dist/src/config/product.js';

/** The PostgreSQL that a service runs for itself where it has no DATABASE_URL. */
export class EmbeddedDatabase extends Database {
  #directory;

  /** @param dataDir DATA_DIR of the service @param scope at whose end whatever is left of it is killed */
  constructor(dataDir, scope) {
    super({ query: (name, text, values) => query(this.urlOf(name), text, values) }, PRODUCT.slug);
    this.#directory = join(dataDir, 'database');
    scope.defer(() => this.kill());
  }

  /** What the server itself writes down: its process, and where it listens. It changes when it is started again. */
  #lock() {
    const lines = readFileSync(join(this.#directory, 'cluster', 'postmaster.pid'), 'utf8').split('\n');
    return { pid: Number(lines[0]), port: Number(lines[3]) };
  }

  get pid() {
    return this.#lock().pid;
  }

  get url() {
    return this.urlOf(this.name);
  }

  urlOf(name) {
    const password = readFileSync(join(this.#directory, 'password'), 'utf8').trim();
    return `postgres://${PRODUCT.slug}:${password}@127.0.0.1:${this.#lock().port}/${name}`;
  }

  /** The last lines of the log of PostgreSQL. */
  lastWords() {
    return readFileSync(join(this.#directory, 'server.log'), 'utf8').trim().split('\n').slice(-8).join(' | ');
  }

  /** Kills the postmaster, and all that it started. */
  kill() {
    let pid;
    try {
      pid = this.pid;
    } catch {
      return;
    }
    for (const each of [pid, ...descendants(pid)]) signal(each, 'SIGKILL');
  }
}
