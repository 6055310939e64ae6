/** `npm run bench` compares this server with a raw baseline on the same database. `--help` lists the options. */
import { resolve } from 'node:path';
import { cases } from './cases.mjs';
import { loadTool } from './load.mjs';
import { breakIn, measure, together } from './measure.mjs';
import { readOptions } from './options.mjs';
import { machine, table, writeReport } from './report.mjs';
import { log, measureCases, onStage, settleCpus, withProcesses } from './stage.mjs';

const readById = cases.find(({ name }) => name === 'get');
const options = readOptions(
  process.argv.slice(2),
  cases.map(({ name }) => name),
);

try {
  process.exitCode = (await bench()) ? 0 : 1;
} catch (error) {
  console.error(`\nThe benchmark could not run: ${error.message}`);
  process.exitCode = 1;
}

async function bench() {
  const tool = options.loadTool ?? loadTool();
  const cpus = settleCpus({ server: options.serverCpus, load: options.loadCpus });
  const selected = cases.filter(({ name }) => !options.only || options.only.includes(name));
  const { products: wanted, against, data } = options;
  const stageOptions = { products: wanted, cpus, against, keep: data && resolve(data) };
  const { results, products } = await onStage(stageOptions, async (stage) => {
    const { servers, subjects, directory, postmaster } = stage;
    const settled = { ...options, tool, cpus, directory, postmaster };
    const all = async () => {
      await breakIn(readById, stage, settled);
      return measureCases(selected, stage, (one) => measure(one, servers, subjects, settled), summaryOf);
    };
    const ofCases = await withProcesses(options.processes, [stage], all);
    return { results: ofCases.map(together), products: subjects.products };
  });
  console.log(`\n${table(results)}\n`);
  await writeReport(results, { ...machine(), tool, cpus, ...options, products });
  const failed = results.filter(({ error }) => error);
  if (options.smoke) log('This was a smoke run: the figures mean nothing.');
  if (failed.length > 0) console.error(`${failed.length} of ${results.length} cases failed.`);
  return failed.length === 0;
}

function summaryOf({ ratio, work }) {
  const ofBaseline = `${ratio.toFixed(2)} of the baseline`;
  return work === null ? ofBaseline : `${ofBaseline}, ${work.toFixed(2)} for the same processor time`;
}
