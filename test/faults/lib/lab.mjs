import { Scope, temporaryFolder } from './cleanup.mjs';
import { Cluster } from './cluster.mjs';
import { Database } from './database.mjs';
import { Row } from './row.mjs';
import { Service } from './service.mjs';
import { Shop, stock } from './shop.mjs';
import { secondsSince } from './waiting.mjs';

/** An experiment that only exceeds a time limit is repeated, because the machine may be busy. A lost write is not. */
const ATTEMPTS = 3;
/** The template of the databases of experiments. */
const TEMPLATE = 'faults_template';

/** Thrown if an experiment cannot run on this machine. The message gives the reason. */
class Skipped extends Error {}

/** A PostgreSQL server with a database that is migrated and stocked. */
export async function prepare() {
  const cluster = await Cluster.create(Scope.whole);
  await cluster.query('postgres', `create database ${TEMPLATE}`);
  const scope = new Scope();
  try {
    const service = await Service.start(scope, { DATABASE_URL: cluster.url(TEMPLATE) });
    await stock(service);
    const { code } = await service.stop();
    if (code !== 0)
      throw new Error(`the service that runs the migrations ended with ${code}: ${service.lastWords()}`);
  } finally {
    await scope.end();
  }
  return cluster;
}

/** The equipment of an experiment. Everything that it starts ends with the experiment. */
export class Lab {
  scope = new Scope();

  constructor({ cluster, random, report }) {
    Object.assign(this, { cluster, random, report });
  }

  /** Runs an experiment, which reports its own rows. */
  async make(name, run) {
    try {
      await run(this);
    } catch (error) {
      this.#reportError(new Row(name, 'the experiment'), error);
    }
  }

  #reportError(row, error) {
    if (error instanceof Skipped) row.skipped = error.message;
    else row.failures.push(`the experiment failed: ${error.message}`);
    this.report.row(row);
  }

  folder() {
    return temporaryFolder(this.scope, 'folder');
  }

  /** Starts a process of the service. */
  service(settings) {
    return Service.start(this.scope, settings);
  }

  /**
   * Starts a service on a database of its own, with customers who are logged in.
   * @param settings of the service; a function gets the URL of the database first
   * @param options `hasSessions`: sessions are in the database
   */
  async shop(settings = {}, options = {}) {
    const database = await Database.create(this.cluster, this.scope, TEMPLATE);
    const own = typeof settings === 'function' ? await settings(database.url) : settings;
    const service = await this.service({ DATABASE_URL: database.url, ...own });
    return new Shop(database, service, options).open();
  }

  /** @throws Skipped if this machine lacks something that the experiment needs */
  need(isThere, reason) {
    if (!isThere) throw new Skipped(reason);
  }

  /** Runs one line of the table. @param work gets the row. It is repeated if only a time limit was exceeded */
  async row(name, did, work) {
    for (let attempt = 1; ; attempt++) {
      const row = new Row(name, did);
      const begin = performance.now();
      try {
        await work(row);
      } catch (error) {
        return this.#reportError(row, error);
      }
      row.seconds = secondsSince(begin);
      if (row.isOnlySlow && attempt < ATTEMPTS) continue;
      return this.report.row(row);
    }
  }

  /**
   * Applies a fault to a service under load and checks the result: every acknowledged write is stored,
   * none is stored in part, no response is 500, and the service recovers by itself.
   *
   * @param fault applies and removes the fault. It gets the load
   * @param options `mayCut`: the fault may cut connections of clients; `faults`, `target`: see `Load`
   */
  async mistreat(row, shop, fault, { mayCut, readySeconds, ...options } = {}) {
    await shop.service.revive();
    const load = shop.load({ random: this.random.fork(), ...options });
    try {
      await load.progress();
      await fault(load);
      row.readyAfter(await shop.service.readyAgain(), readySeconds);
      row.takeService(shop.service);
      await shop.service.revive();
      await load.progress();
    } finally {
      await load.stop();
      row.takeService(shop.service);
      row.takeLoad(load, { mayCut });
    }
    row.takeAudit(await shop.audit());
    row.takeService(shop.service);
  }
}
