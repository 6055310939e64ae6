/** `npm run bench`: this server and a raw baseline side by side on one database. `--help` lists the options. */
import { resolve } from 'node:path';
import { cases } from './cases.mjs';
import { loadTool } from './load.mjs';
import { breakIn, measure, together } from './measure.mjs';
import { readOptions } from './options.mjs';
import { machine, table, writeReport } from './report.mjs';
import { measureSettings } from './settings.mjs';
import { log, measureCases, onStage, settleCpus, withProcesses } from './stage.mjs';

const readById = cases.find(({ name }) => name === 'get');
const caseNames = cases.map(({ name }) => name);
const options = readOptions(process.argv.slice(2), caseNames);

try {
  process.exitCode = (await bench()) ? 0 : 1;
} catch (error) {
  console.error(`\nThe benchmark could not run: ${error.message}`);
  process.exitCode = 1;
}

async function bench() {
  const tool = options.loadTool ?? loadTool();
  const cpus = settleCpus({
    server: options.serverCpus,
    load: options.loadCpus,
  });
  const selected = options.settings
    ? []
    : cases.filter(({ name }) => !options.only || options.only.includes(name));
  const isFull = !options.only && !options.against && !options.smoke;
  const { products: wanted, against, data } = options;
  const keep = data && resolve(data);
  const { results, settings, products } = await onStage(
    { products: wanted, cpus, against, keep },
    async (stage) => {
      const { servers, subjects, directory, postmaster } = stage;
      const settled = { ...options, tool, cpus, directory, postmaster };
      const one = (subject) => measure(subject, servers, subjects, settled);
      const all = async () => {
        if (selected.length > 0) await breakIn(readById, stage, settled);
        return measureCases(selected, stage, one, summaryOf);
      };
      return {
        results: (await withProcesses(options.processes, [stage], all)).map(together),
        settings: options.settings || isFull ? await measureSettings(stage, readById, settled, log) : [],
        products: subjects.products,
      };
    },
  );
  if (results.length > 0) console.log(`\n${table(results)}\n`);
  await writeReport(results, settings, {
    ...machine(),
    tool,
    cpus,
    ...options,
    products,
  });
  const all = [...results, ...settings];
  const failed = all.filter(({ error }) => error);
  if (options.smoke) log('A smoke run: these figures say only that everything works.');
  if (failed.length > 0) console.error(`${failed.length} of ${all.length} cases failed.`);
  return failed.length === 0;
}

function summaryOf({ ratio, work, undisturbed }) {
  const ofBaseline = `${ratio.toFixed(2)} of the baseline`;
  if (work === null) return ofBaseline;
  return `${ofBaseline}, ${work.toFixed(2)} for the same processor time, ${undisturbed.toFixed(2)} undisturbed`;
}
