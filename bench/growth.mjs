/**
 * `npm run bench:growth`: what a request costs our server and PostgreSQL by the number of products. For each number a
 * database is made, filled and measured. `--help` lists the options.
 */
import { mkdtemp, chmod, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
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
import { growthTable, writeGrowth } from './growth-report.mjs';
import { loadTool } from './load.mjs';
import { measureAlone } from './measure.mjs';
import { whyUnpinned } from './pinning.mjs';
import { machine } from './report.mjs';
import { startBaseline, startOurs } from './servers.mjs';

const USAGE = `npm run bench:growth -- [options]

  --rows <n,n,…>     products, a database for each number    (10000,100000,1000000)
  --rounds <n>       loads of each case                      (3)
  --seconds <n>      length of one load                      (3)
  --warmup <n>       seconds of load before the first        (2)
  --connections <n>  open connections                        (64)
  --only <case>      a case's name, may be repeated; then nothing is written

Page 4,000 is left out: how far back it lies depends on the number of rows.`;

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '10000,100000,1000000' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '3' },
    warmup: { type: 'string', default: '2' },
    connections: { type: 'string', default: '64' },
    only: { type: 'string', multiple: true },
    help: { type: 'boolean' },
  },
});
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}

/** These depend on the rows themselves, or say nothing of products. */
const LEFT_OUT = ['deep-page'];
const selected = cases.filter(({ name }) => values.only?.includes(name) ?? !LEFT_OUT.includes(name));
const sizes = values.rows.split(',').map(Number);
const cpus = whyUnpinned() === null ? { server: '0', load: '1' } : { server: null, load: null };
const options = {
  rounds: Number(values.rounds),
  seconds: Number(values.seconds),
  warmup: Number(values.warmup),
  connections: Number(values.connections),
  tool: loadTool(),
  cpus,
};

/** @type {import('./growth-report.mjs').Size[]} */
const results = [];
for (const products of sizes) results.push({ products, cases: await measureSize(products) });
console.log(`\n${growthTable(results)}\n`);
const command = [
  'npm run bench:growth',
  ...(process.argv.length > 2 ? ['--', ...process.argv.slice(2)] : []),
];
if (!values.only) await writeGrowth(results, { ...machine(), ...options, command: command.join(' ') });
if (results.some((size) => size.cases.some(({ error }) => error))) process.exitCode = 1;

async function measureSize(products) {
  const directory = await mkdtemp(join(tmpdir(), 'service-bench-'));
  await chmod(directory, 0o755); // PostgreSQL may run as another user
  const database = await openDatabase(directory, (line) => console.log(`  ${line}`));
  const stops = [() => rm(directory, { recursive: true, force: true }), () => database.close()];
  if (!database.isOwn)
    throw new Error('BENCH_DATABASE_URL has one number of products; this makes its own databases.');
  try {
    const place = { databaseUrl: database.url, cpus: cpus.server, directory };
    const ours = await startOurs(place); // migrates
    stops.push(ours.stop);
    const client = await connect(database.url);
    stops.push(() => client.end());
    console.log(`  Seeding ${products.toLocaleString('en')} products`);
    await seed(client, { url: database.url, directory }, products);
    const baseline = await startBaseline(place);
    stops.push(baseline.stop);
    if (cpus.load !== null) await pinDatabase(client, cpus.load);
    return await measureCases({ ours, baseline }, client, directory);
  } finally {
    for (const stop of stops.toReversed()) await stop();
  }
}

async function measureCases(servers, client, directory) {
  const [subjects, ends] = [await readSubjects(client), await readEnds(client)];
  const postmaster = await postmasterOf(client);
  const measured = [];
  for (const subject of selected) {
    const result = await measureAlone(subject, servers, subjects, { ...options, directory, postmaster });
    const { ours, error } = result;
    const cost = ours && `${Math.round(ours.serverMicros)} + ${Math.round(ours.databaseMicros ?? 0)} µs`;
    console.log(`  ${result.title}: ${cost ?? `FAILED\n    ${error}`}`);
    measured.push(result);
    await removeCreated(client, ends);
  }
  return measured;
}
