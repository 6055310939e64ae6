import { Scope } from './cleanup.mjs';
import { Cluster } from './cluster.mjs';
import { Service } from './service.mjs';
import { stock } from './shop.mjs';

/** The database that those of experiments are copied from. */
export const TEMPLATE = 'faults_template';

/** A PostgreSQL server, and the experiments that are made with it, one after another. */
export class Lane {
  #cluster;

  /** The server; it runs, whatever the experiment before has done to it. */
  async cluster() {
    this.#cluster ??= await prepare();
    if (!this.#cluster.isRunning) await this.#cluster.start();
    return this.#cluster;
  }
}

async function prepare() {
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
