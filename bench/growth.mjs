/**
 * `npm run bench:growth` measures how the cost of a request depends on the number of products. It creates and seeds a
 * database for each number, and measures each case on all of them in alternating rounds. `--help` lists the options.
 */
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { cases } from './cases.mjs';
import { removeCreated } from './database.mjs';
import { loadTool } from './load.mjs';
import { breakIn, figuresOf, measureInTurn } from './measure.mjs';
import { commandLine } from './options.mjs';
import { alignedTable, machine } from './report.mjs';
import { root } from './servers.mjs';
import { onStages, settleCpus, withProcesses } from './stage.mjs';

const USAGE = `npm run bench:growth -- [options]

  --rows <n,n,…>     numbers of products, each with a database  (10000,100000,1000000)
  --processes <n>    sets of server processes, each loaded for all rounds  (3)
  --rounds <n>       loads of each case                      (8)
  --seconds <n>      length of one load                      (1)
  --warmup <n>       seconds of load before the first        (2)
  --break-in <n>     seconds of load before the first case   (15)
  --connections <n>  open connections                        (64)
  --only <case>      a case's name, may be repeated; then no report is written
  --data <folder>    keeps the databases in a folder, so that the next run can use their rows

The case with page 4,000 is omitted, because a page that skips many rows is slow by nature. Cursors avoid this.`;

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '10000,100000,1000000' },
    processes: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '8' },
    seconds: { type: 'string', default: '1' },
    warmup: { type: 'string', default: '2' },
    'break-in': { type: 'string', default: '15' },
    connections: { type: 'string', default: '64' },
    only: { type: 'string', multiple: true },
    data: { type: 'string' },
    help: { type: 'boolean' },
  },
});
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}

/** The cost of a page grows with the rows that it skips. Cursors avoid this. */
const LEFT_OUT = ['deep-page'];
const selected = cases.filter(({ name }) => values.only?.includes(name) ?? !LEFT_OUT.includes(name));
const readById = cases.find(({ name }) => name === 'get');
const sizes = values.rows.split(',').map(Number);
const cpus = settleCpus({ server: '0', load: '1' });
const options = {
  processes: Number(values.processes),
  rounds: Number(values.rounds),
  seconds: Number(values.seconds),
  warmup: Number(values.warmup),
  breakIn: Number(values['break-in']),
  connections: Number(values.connections),
  tool: loadTool(),
  cpus,
};

const results = await onStages(
  sizes.map((products) => ({ products, cpus, ownDatabase: true, keep: folderOf(products) })),
  measureSizes,
);
const costs = growthTable(results);
console.log(`\n${costs}\n`);
if (!values.only) await writeFile(root('bench/results/growth.md'), page(costs));
if (results.some((size) => size.cases.some(({ error }) => error))) process.exitCode = 1;

function folderOf(products) {
  return values.data === undefined ? undefined : join(resolve(values.data), String(products));
}

/**
 * @param {import('./stage.mjs').Stage[]} stages
 * @returns {Promise<{ products: number, cases: import('./measure.mjs').OfStage[] }[]>}
 */
async function measureSizes(stages) {
  askForAsMany(stages);
  const ofCases = await withProcesses(options.processes, stages, () => measureSelected(stages));
  return sizes.map((products, stage) => ({
    products,
    cases: ofCases.map((passes) => ofAllRounds(passes.map((ofStages) => ofStages[stage]))),
  }));
}

/**
 * Reduces the ids and pages of all stages to as many as the smallest stage has. The tables grow, but the variety of
 * requests must not.
 * @param {import('./stage.mjs').Stage[]} stages
 */
function askForAsMany(stages) {
  const products = Math.min(...sizes);
  for (const { subjects } of stages) subjects.products = products;
  for (const key of ['ids', 'inStock', 'customers', 'reviewed']) {
    const fewest = Math.min(...stages.map(({ subjects }) => subjects[key].length));
    for (const { subjects } of stages) subjects[key] = subjects[key].slice(0, fewest);
  }
}

/** @returns {Promise<import('./measure.mjs').OfStage[][]>} for each case, the results of each stage */
async function measureSelected(stages) {
  const results = [];
  for (const stage of stages) await breakIn(readById, stage, options, { ours: stage.servers.ours });
  for (const subject of selected) {
    process.stdout.write(`  ${subject.title} … `);
    const measured = await measureInTurn(subject, stages, options);
    console.log(measured.map(costOf).join(', '));
    results.push(measured);
    for (const { client, ends } of stages) await removeCreated(client, ends);
  }
  return results;
}

/** Combines the results of a stage with several sets of processes. */
function ofAllRounds(passes) {
  const failed = passes.find(({ error }) => error);
  if (failed) return failed;
  const [{ name, title }] = passes;
  return {
    name,
    title,
    ours: figuresOf(
      passes.flatMap(({ rounds }) => rounds),
      'ours',
    ),
    ofSets: passes.map(({ ours }) => ours),
  };
}

function costOf({ error, ours }) {
  return error
    ? `FAILED\n    ${error}`
    : `${Math.round(ours.serverMicros)} + ${Math.round(ours.databaseMicros ?? 0)} µs`;
}

/** Returns a table with the costs of each case, by the number of products, and as multiples of the smallest number. */
function growthTable([smallest, ...others]) {
  const micros = ({ ours }) => (ours ? ours.serverMicros + (ours.databaseMicros ?? 0) : null);
  const show = (cost) => (cost === null ? 'FAILED' : String(Math.round(cost)));
  const count = ({ products }) => products.toLocaleString('en');
  const head = ['µs of CPU a request', count(smallest), ...others.flatMap((size) => [count(size), 'growth'])];
  const rows = smallest.cases.map((one, index) => {
    const first = micros(one);
    const later = others.map(({ cases: measured }) => micros(measured[index]));
    const growth = (cost) => (first === null || cost === null ? '' : (cost / first).toFixed(2));
    return [one.title, show(first), ...later.flatMap((cost) => [show(cost), growth(cost)])];
  });
  return alignedTable([head, ...rows]);
}

function page(costs) {
  const { date, cpu, cores, memoryGiB, system, node } = machine();
  return `# Cost by number of products

${costs}

Processor time of server and PostgreSQL together; medians over ${options.processes} sets of processes, ${options.rounds} rounds of
${options.seconds} s with each, ${options.connections} connections. *Growth* is the cost divided by that with the fewest products.

\`${commandLine('bench:growth', process.argv.slice(2))}\`, ${date}. ${cpu}, ${cores} cores, ${memoryGiB} GiB, ${system}, Node.js ${node}.
`;
}
