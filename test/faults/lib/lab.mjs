import { spawnSync } from 'node:child_process';

import { Scope, temporaryFolder } from './cleanup.mjs';
import { Database } from './database.mjs';
import { TEMPLATE } from './lane.mjs';
import { Proxy } from './proxy.mjs';
import { hasRedis, Redis } from './redis.mjs';
import { Row } from './row.mjs';
import { Service } from './service.mjs';
import { Shop } from './shop.mjs';
import { SmallDisk } from './small-disk.mjs';
import { secondsSince } from './waiting.mjs';

/** A bound of time that a busy machine has broken is given another chance; what is lost once is lost. */
const ATTEMPTS = 3;

/** Thrown where an experiment cannot be made here; the message says why. */
export class Skipped extends Error {}

/** What experiments are made with. All that is started here ends with the experiment. */
export class Lab {
  /** @param lane whose PostgreSQL it is @param report `(row) => void` */
  constructor({ lane, isLong, random, report }) {
    Object.assign(this, { lane, isLong, random, report, scope: new Scope() });
  }

  /** The PostgreSQL server, for this experiment alone as long as it lasts. */
  cluster() {
    return this.lane.cluster();
  }

  /** A database that is migrated and stocked. */
  async database() {
    return Database.create(await this.cluster(), this.scope, TEMPLATE);
  }

  /** A database that nobody has migrated. */
  async emptyDatabase() {
    return Database.create(await this.cluster(), this.scope);
  }

  /** An empty folder. */
  folder() {
    return temporaryFolder(this.scope, 'folder');
  }

  /** A small file system that can be filled up. */
  smallDisk(mebibytes) {
    const disk = SmallDisk.mount(this.scope, mebibytes);
    this.need(disk, 'a small file system can be mounted by root alone');
    return disk;
  }

  redis() {
    this.need(hasRedis(), 'redis-server is not installed (Debian: apt-get install redis-server)');
    return Redis.start(this.scope);
  }

  proxy(url) {
    return Proxy.to(url, this.scope);
  }

  /** A process that serves. */
  service(settings, options) {
    return Service.start(this.scope, settings, options);
  }

  /** A process that is about to start. */
  async launch(settings, options) {
    const service = new Service(settings, options);
    await service.launch(this.scope);
    return service;
  }

  /**
   * A service on a database of its own, with customers who are logged in.
   * @param settings of the service; a function gets the URL of the database first
   */
  async shop(settings = {}, options = {}) {
    const database = options.database ?? (await this.database());
    const own = typeof settings === 'function' ? await settings(database.url) : settings;
    const service = await this.service({ DATABASE_URL: database.url, ...own }, options);
    return new Shop(database, service, options).open();
  }

  /** @throws Skipped where something is missing that the experiment takes */
  need(isThere, reason) {
    if (!isThere) throw new Skipped(reason);
  }

  needProgram(program, reason) {
    this.need(spawnSync('which', [program]).status === 0, reason);
  }

  /** Makes one line of the table. @param work gets the row; it is called again where nothing but a time was missed */
  async row(name, did, work) {
    for (let attempt = 1; ; attempt++) {
      const row = new Row(name, did);
      const begin = performance.now();
      try {
        await work(row);
      } catch (error) {
        if (error instanceof Skipped) row.skipped = error.message;
        else row.failures.push(`it went no further: ${error.message}`);
      }
      row.seconds = secondsSince(begin);
      if (row.isOnlySlow && attempt < ATTEMPTS) continue;
      if (attempt > 1) row.note(`attempt ${attempt}`);
      this.report(row);
      return;
    }
  }

  /**
   * Does something to a service under load, and holds everything against the bars: what was acknowledged is there,
   * nothing is half there, no answer is 500, the service is ready again by itself and works.
   *
   * @param fault does it and undoes it; gets the load
   * @param options `mayCut`: clients lose connections by it; `writers`, `mix`, `faults`, `target`: see `Load`
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
      row.takeLoad(load, { mayCut: mayCut || row.failures.length > 0 });
    }
    await shop.service.revive();
    row.takeAudit(await shop.audit());
    row.takeService(shop.service);
  }
}
