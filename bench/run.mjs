/** `npm run bench`: this server and a raw baseline side by side on one database. `--help` lists the options. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { cases } from './cases.mjs';
import {
  connect,
  openDatabase,
  pinDatabase,
  postmasterOf,
  readEnds,
  readSubjects,
  removeCreated,
  seed,
} from './database.mjs';
import { loadTool } from './load.mjs';
import { measure } from './measure.mjs';
import { readOptions } from './options.mjs';
import { whyUnpinned } from './pinning.mjs';
import { machine, table, writeReport } from './report.mjs';
import { startBaseline, startOurs } from './servers.mjs';

const caseNames = cases.map(({ name }) => name);
const options = readOptions(process.argv.slice(2), caseNames);
const log = (line) => console.log(`  ${line}`);

/** What has to be undone at the end, last first. */
const cleanups = [];
const cleanUp = async () => {
  while (cleanups.length > 0)
    await cleanups
      .pop()()
      .catch((error) => console.error(error.message));
};
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => cleanUp().finally(() => process.exit(130)));

try {
  const isComplete = await bench();
  process.exitCode = isComplete ? 0 : 1;
} catch (error) {
  console.error(`\nThe benchmark could not run: ${error.message}`);
  process.exitCode = 1;
} finally {
  await cleanUp();
}

async function bench() {
  const tool = options.loadTool ?? loadTool();
  const cpus = settleCpus();
  const { servers, client, subjects, ends, directory } = await setUp(cpus);
  const selected = cases.filter(({ name }) => !options.only || options.only.includes(name));
  const postmaster = await postmasterOf(client);
  const results = [];
  for (const subject of selected) {
    process.stdout.write(`  ${subject.title} … `);
    const result = await measure(subject, servers, subjects, {
      ...options,
      tool,
      cpus,
      directory,
      postmaster,
    });
    console.log(result.error ? `FAILED\n    ${result.error}` : summaryOf(result));
    results.push(result);
    await removeCreated(client, ends);
  }
  const about = { ...machine(), tool, cpus, products: subjects.products, ...options };
  console.log(`\n${table(results)}\n`);
  await writeReport(results, about);
  const failed = results.filter(({ error }) => error);
  if (options.smoke) log('A smoke run: these figures say only that everything works.');
  if (failed.length > 0) console.error(`${failed.length} of ${results.length} cases failed.`);
  return failed.length === 0;
}

function summaryOf({ ratio, work }) {
  const ofBaseline = `${ratio.toFixed(2)} of the baseline`;
  return work === null ? ofBaseline : `${ofBaseline}, ${work.toFixed(2)} for the same processor time`;
}

function settleCpus() {
  const reason = whyUnpinned();
  if (reason === null) return { server: options.serverCpus, load: options.loadCpus };
  log(`Nothing is pinned to a core, as ${reason}: the ratios will scatter more.`);
  return { server: null, load: null };
}

async function setUp(cpus) {
  const directory = await mkdtemp(join(tmpdir(), 'service-bench-'));
  cleanups.push(() => rm(directory, { recursive: true, force: true }));
  await chmod(directory, 0o755); // PostgreSQL may run as another user
  const database = await openDatabase(directory, log);
  cleanups.push(database.close);
  const place = { databaseUrl: database.url, cpus: cpus.server, directory };

  const ours = await startOurs(place); // migrates
  cleanups.push(ours.stop);
  const client = await connect(database.url);
  cleanups.push(() => client.end());
  log(
    `Seeding ${options.products.toLocaleString('en')} products, where there are none, and customers with orders and reviews`,
  );
  await seed(client, { url: database.url, directory }, options.products);
  const baseline = options.against
    ? await startOurs(place, options.against, 'baseline')
    : await startBaseline(place);
  cleanups.push(baseline.stop);

  if (cpus.load !== null) await pin(client, database, cpus.load);
  const subjects = await readSubjects(client);
  const ends = await readEnds(client);
  if (!database.isOwn) cleanups.push(() => removeCreated(client, ends)); // also when interrupted
  return { servers: { ours, baseline }, client, subjects, ends, directory };
}

/** A database that is not ours gets all its cores back at the end. */
async function pin(client, { isOwn }, cpus) {
  const reason = await pinDatabase(client, cpus);
  if (reason) log(reason);
  else if (!isOwn)
    cleanups.push(async () => void (await pinDatabase(client, `0-${availableParallelism() - 1}`)));
}
