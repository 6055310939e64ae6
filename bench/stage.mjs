/** What the benchmarks share: a database with its rows, the servers on it, and one case after the other. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  connect,
  fillMemory,
  openDatabase,
  pinDatabase,
  postmasterOf,
  readEnds,
  readSubjects,
  removeCreated,
  seed,
} from './database.mjs';
import { whyUnpinned } from './pinning.mjs';
import { startBaseline, startOurs } from './servers.mjs';

/** @typedef {{ server: string | null, load: string | null }} Cpus */
/** @typedef {(place: import('./servers.mjs').Place, client: import('pg').Client) => Promise<import('./servers.mjs').Server>} Start */
/**
 * @typedef {object} Stage
 * @property {Record<string, import('./servers.mjs').Server>} servers `ours`, and those that it is measured against
 * @property {() => Promise<void>} restart starts all of `servers` anew, in its place
 * @property {import('./servers.mjs').Place} place where further servers are started
 * @property {import('pg').Client} client
 * @property {Awaited<ReturnType<typeof readSubjects>>} subjects what requests are chosen from
 * @property {Awaited<ReturnType<typeof readEnds>>} ends
 * @property {string} directory
 * @property {number | null} postmaster
 */

/** @type {(options: { against?: Record<string, string> }) => Record<string, Start>} */
const baselineOf = ({ against }) => ({
  baseline: (place) => (against ? startOurs(place, against, 'baseline') : startBaseline(place)),
});

export const log = (line) => console.log(`  ${line}`);

/** @param {Cpus} wanted @returns {Cpus} nulls where nothing can be pinned */
export function settleCpus(wanted) {
  const reason = whyUnpinned();
  if (reason === null) return wanted;
  log(`Nothing is pinned to a core, as ${reason}: the figures will scatter more.`);
  return { server: null, load: null };
}

/** What removes each stage there is. */
const stages = new Set();

/** Removes all stages before the process ends. */
const interrupted = () =>
  Promise.all([...stages].map((cleanUp) => cleanUp())).finally(() => process.exit(130));

/**
 * Sets a stage up, has it used, and removes it, also when the run is interrupted.
 * @template T
 * @param {object} options
 * @param {number} options.products
 * @param {Cpus} options.cpus
 * @param {Record<string, string>} [options.against] settings with which our server is the baseline
 * @param {boolean} [options.ownDatabase] BENCH_DATABASE_URL will not do
 * @param {string} [options.keep] the folder of the database, which stays and is found there by the next run
 * @param {Record<string, Start>} [options.others] start the servers beside ours, one after the other, once there are rows
 * @param {(stage: Stage) => Promise<T>} use
 * @returns {Promise<T>}
 */
export async function onStage(options, use) {
  /** What has to be undone at the end, last first. */
  const cleanups = [];
  let cleaning;
  const cleanUp = () => (cleaning ??= undo(cleanups));
  stages.add(cleanUp);
  if (stages.size === 1) for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, interrupted);
  try {
    return await use(await setUp(options, cleanups));
  } finally {
    await cleanUp();
    stages.delete(cleanUp);
    if (stages.size === 0) for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, interrupted);
  }
}

/**
 * Sets several stages up, one after the other, and has them used together.
 * @template T
 * @param {Parameters<typeof onStage>[0][]} options
 * @param {(stages: Stage[]) => Promise<T>} use
 * @returns {Promise<T>}
 */
export const onStages = ([first, ...others], use) =>
  onStage(first, (stage) =>
    others.length === 0 ? use([stage]) : onStages(others, (rest) => use([stage, ...rest])),
  );

async function undo(cleanups) {
  while (cleanups.length > 0)
    await cleanups
      .pop()()
      .catch((error) => console.error(error.message));
}

async function setUp(options, cleanups) {
  const { products, cpus, ownDatabase = false, keep, others = baselineOf(options) } = options;
  if (ownDatabase && process.env.BENCH_DATABASE_URL)
    throw new Error('This run makes databases of its own: run it without BENCH_DATABASE_URL.');
  const directory = await mkdtemp(join(tmpdir(), 'service-bench-'));
  cleanups.push(() => rm(directory, { recursive: true, force: true }));
  await chmod(directory, 0o755); // PostgreSQL may run as another user
  const database = await openDatabase(
    { directory: keep ?? directory, isKept: keep !== undefined, products },
    log,
  );
  cleanups.push(database.close);
  const place = { databaseUrl: database.url, cpus: cpus.server, directory };

  const servers = {};
  const run = async (name, start) => {
    servers[name] = await start();
    cleanups.push(() => servers[name].stop());
  };
  const starts = { ours: () => startOurs(place) };
  await run('ours', starts.ours); // migrates
  const client = await connect(database.url);
  cleanups.push(() => client.end());
  const count = products.toLocaleString('en');
  log(`Seeding ${count} products, where there are none, and customers with orders and reviews`);
  await seed(client, { url: database.url, directory }, products);
  if (!database.isShared) await fillMemory(client);
  for (const [name, start] of Object.entries(others)) {
    starts[name] = () => start(place, client);
    await run(name, starts[name]);
  }
  const restart = async () => {
    for (const [name, start] of Object.entries(starts)) {
      await servers[name].stop();
      servers[name] = await start();
    }
  };

  if (cpus.load !== null) await pin(client, database, cpus.load, cleanups);
  const [subjects, ends] = [await readSubjects(client), await readEnds(client)];
  if (database.stays) cleanups.push(() => removeCreated(client, ends)); // also when interrupted
  return {
    servers,
    restart,
    place,
    client,
    subjects,
    ends,
    directory,
    postmaster: await postmasterOf(client),
  };
}

/** A database that is not ours gets all its cores back at the end. */
async function pin(client, { isShared }, cpus, cleanups) {
  const reason = await pinDatabase(client, cpus);
  if (reason) log(reason);
  else if (isShared)
    cleanups.push(async () => void (await pinDatabase(client, `0-${availableParallelism() - 1}`)));
}

/**
 * Measures one case after the other; what a case made is removed before the next.
 * @template Result
 * @param {import('./cases.mjs').Case[]} cases
 * @param {Stage} stage
 * @param {(subject: import('./cases.mjs').Case) => Promise<Result>} measure
 * @param {(result: Result) => string} describe
 * @returns {Promise<Result[]>}
 */
export async function measureCases(cases, { client, ends }, measure, describe) {
  const results = [];
  for (const subject of cases) {
    process.stdout.write(`  ${subject.title} … `);
    const result = await measure(subject);
    console.log(result.error ? `FAILED\n    ${result.error}` : describe(result));
    results.push(result);
    await removeCreated(client, ends);
  }
  return results;
}

/**
 * Measures with one set of server processes after the other: rounds that lie further apart show more of how the machine's
 * speed changes, and no set of processes decides alone.
 * @template Result
 * @param {number} count
 * @param {Stage[]} stages
 * @param {() => Promise<Result[]>} measureAll all cases, with the processes that run
 * @returns {Promise<Result[][]>} for each case its results, one for each set of processes
 */
export async function withProcesses(count, stages, measureAll) {
  const ofSets = [];
  for (let set = 1; set <= count; set++) {
    if (count > 1) log(`Processes ${set} of ${count}`);
    if (set > 1) for (const stage of stages) await stage.restart();
    ofSets.push(await measureAll());
  }
  return ofSets[0].map((_, index) => ofSets.map((results) => results[index]));
}
