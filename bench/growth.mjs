/**
 * `npm run bench:growth`: what a request costs our server and PostgreSQL by the number of products. For each number a
 * database is made and filled; a case is measured on all of them in alternating rounds. `--help` lists the options.
 */
import { parseArgs } from 'node:util';
import { cases } from './cases.mjs';
import { removeCreated } from './database.mjs';
import { growthTable, writeGrowth } from './growth-report.mjs';
import { loadTool } from './load.mjs';
import { measureInTurn } from './measure.mjs';
import { commandLine } from './options.mjs';
import { machine } from './report.mjs';
import { onStages, settleCpus } from './stage.mjs';

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
const cpus = settleCpus({ server: '0', load: '1' });
const options = {
  rounds: Number(values.rounds),
  seconds: Number(values.seconds),
  warmup: Number(values.warmup),
  connections: Number(values.connections),
  tool: loadTool(),
  cpus,
};

const results = await onStages(
  sizes.map((products) => ({ products, cpus, ownDatabase: true })),
  measureSizes,
);
console.log(`\n${growthTable(results)}\n`);
if (!values.only)
  await writeGrowth(results, {
    ...machine(),
    ...options,
    command: commandLine('bench:growth', process.argv.slice(2)),
  });
if (results.some((size) => size.cases.some(({ error }) => error))) process.exitCode = 1;

/**
 * @param {import('./stage.mjs').Stage[]} stages
 * @returns {Promise<import('./growth-report.mjs').Size[]>}
 */
async function measureSizes(stages) {
  const results = sizes.map((products) => ({ products, cases: [] }));
  for (const subject of selected) {
    process.stdout.write(`  ${subject.title} … `);
    const measured = await measureInTurn(subject, stages, options);
    console.log(measured.map(costOf).join(', '));
    measured.forEach((each, index) => results[index].cases.push(each));
    for (const { client, ends } of stages) await removeCreated(client, ends);
  }
  return results;
}

function costOf({ error, ours }) {
  return error
    ? `FAILED\n    ${error}`
    : `${Math.round(ours.serverMicros)} + ${Math.round(ours.databaseMicros ?? 0)} µs`;
}
