/** The parts that all benchmarks share: a database with rows, the servers that use it, and the loop over the cases. */
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
 * @property {Record<string, import('./servers.mjs').Server>} servers `ours`, and those that it is compared with
 * @property {() => Promise<void>} restart replaces all `servers` by new processes
 * @property {import('./servers.mjs').Place} place where further servers are started
 * @property {import('pg').Client} client
 * @property {Awaited<ReturnType<typeof readSubjects>>} subjects the rows that requests use
 * @property {Awaited<ReturnType<typeof readEnds>>} ends
 * @property {string} directory
 * @property {number | null} postmaster
 */

/** @type {(options: { against?: Record<string, string> }) => Record<string, Start>} */
const baselineOf = ({ against }) => ({
  baseline: (place) => (against ? startOurs(place, against, 'baseline') : startBaseline(place)),
});

export const log = (line) => console.log(`  ${line}`);

/** @param {Cpus} wanted @returns {Cpus} null if processes cannot be pinned */
export function settleCpus(wanted) {
  const reason = whyUnpinned();
  if (reason === null) return wanted;
  log(`Nothing is pinned to a core, because ${reason}. The figures will scatter more.`);
  return { server: null, load: null };
}

/** The functions that remove the existing stages. */
const stages = new Set();

/** Removes all stages before the process ends. */
const interrupted = () =>
  Promise.all([...stages].map((cleanUp) => cleanUp())).finally(() => process.exit(130));

/**
 * Sets up a stage, passes it to `use`, and removes it, even if the run is interrupted.
 * @template T
 * @param {object} options
 * @param {number} options.products
 * @param {Cpus} options.cpus
 * @param {Record<string, string>} [options.against] settings of our server as the baseline
 * @param {boolean} [options.ownDatabase] whether BENCH_DATABASE_URL is not allowed
 * @param {string} [options.keep] a folder in which to keep the database for the next run
 * @param {Record<string, Start>} [options.others] start the other servers, one after the other, when the rows exist
 * @param {(stage: Stage) => Promise<T>} use
 * @returns {Promise<T>}
 */
export async function onStage(options, use) {
  /** The functions that clean up at the end, called in reverse order. */
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
 * Sets up several stages, one after the other, and passes all of them to `use`.
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
    throw new Error('This benchmark creates its own databases: run it without BENCH_DATABASE_URL.');
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
  log(`Seeding ${count} products, and customers with orders and reviews, unless they exist`);
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

/** Pins the servers to cores. A database that is not ours gets all its cores back at the end. */
async function pin(client, { isShared }, cpus, cleanups) {
  const reason = await pinDatabase(client, cpus);
  if (reason) log(reason);
  else if (isShared)
    cleanups.push(async () => void (await pinDatabase(client, `0-${availableParallelism() - 1}`)));
}

/**
 * Measures one case after the other. Removes the rows that a case created before the next one.
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
 * Measures with several sets of server processes, one after the other. The rounds are then spread over a longer time, in
 * which the speed of the machine changes, and the result does not depend on a single set of processes.
 * @template Result
 * @param {number} count
 * @param {Stage[]} stages
 * @param {() => Promise<Result[]>} measureAll measures all cases with the running processes
 * @returns {Promise<Result[][]>} for each case, the results of each set of processes
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
