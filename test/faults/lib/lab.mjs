import { Scope, temporaryFolder } from './cleanup.mjs';
import { Cluster } from './cluster.mjs';
import { Database } from './database.mjs';
import { Row } from './row.mjs';
import { Service } from './service.mjs';
import { Shop, stock } from './shop.mjs';
import { secondsSince } from './waiting.mjs';

/** A bound of time that a busy machine has broken is given another chance; what is lost once is lost. */
const ATTEMPTS = 3;
/** The database that those of experiments are copied from. */
const TEMPLATE = 'faults_template';

/** Thrown where an experiment cannot be made here; the message says why. */
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
    if (code !== 0) throw new Error(`the service that migrates ended with ${code}: ${service.lastWords()}`);
  } finally {
    await scope.end();
  }
  return cluster;
}

/** What experiments are made with. All that is started here ends with the experiment. */
export class Lab {
  scope = new Scope();

  constructor({ cluster, random, report }) {
    Object.assign(this, { cluster, random, report });
  }

  /** Makes an experiment, whose rows report for themselves. */
  async make(name, run) {
    try {
      await run(this);
    } catch (error) {
      this.#reportError(new Row(name, 'the experiment'), error);
    }
  }

  #reportError(row, error) {
    if (error instanceof Skipped) row.skipped = error.message;
    else row.failures.push(`it went no further: ${error.message}`);
    this.report.row(row);
  }

  folder() {
    return temporaryFolder(this.scope, 'folder');
  }

  /** A process that serves. */
  service(settings) {
    return Service.start(this.scope, settings);
  }

  /**
   * A service on a database of its own, with customers who are logged in.
   * @param settings of the service; a function gets the URL of the database first
   * @param options `hasSessions`: sessions are in the database
   */
  async shop(settings = {}, options = {}) {
    const database = await Database.create(this.cluster, this.scope, TEMPLATE);
    const own = typeof settings === 'function' ? await settings(database.url) : settings;
    const service = await this.service({ DATABASE_URL: database.url, ...own });
    return new Shop(database, service, options).open();
  }

  /** @throws Skipped where something is missing that the experiment takes */
  need(isThere, reason) {
    if (!isThere) throw new Skipped(reason);
  }

  /** Makes one line of the table. @param work gets the row; it is called again where nothing but a time was missed */
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
   * Does something to a service under load, and holds everything against the bars: what was acknowledged is there,
   * nothing is half there, no answer is 500, the service is ready again by itself and works.
   *
   * @param fault does it and undoes it; gets the load
   * @param options `mayCut`: clients lose connections by it; `faults`, `target`: see `Load`
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
