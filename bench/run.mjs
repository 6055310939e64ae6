/** `npm run bench`: this server and a raw baseline side by side on one database. `--help` lists the options. */
import { resolve } from 'node:path';
import { cases } from './cases.mjs';
import { loadTool } from './load.mjs';
import { breakIn, joined, measure, together } from './measure.mjs';
import { readOptions } from './options.mjs';
import { machine, table, writeReport } from './report.mjs';
import { measureSettings } from './settings.mjs';
import { log, measureCases, onStage, settleCpus, withProcesses } from './stage.mjs';

const readById = cases.find(({ name }) => name === 'get');
/** Seconds of load before the first round of a case in later passes: its code is compiled by then. */
const WARM_UP_AGAIN = 2;

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
      const all = async () => {
        const passes = [];
        for (let pass = 0; pass < options.passes; pass++) {
          // Again in later passes: pages of other cases have pushed the rows out of the memory.
          if (selected.length > (pass === 0 ? 0 : 1)) await breakInOrSay(stage, settled);
          const warmup = pass === 0 ? options.warmup : Math.min(options.warmup, WARM_UP_AGAIN);
          const roundsBefore = roundsUntil(pass);
          const rounds = roundsUntil(pass + 1) - roundsBefore;
          const conditions = { ...settled, rounds, roundsBefore, warmup };
          const one = (subject) => measure(subject, servers, subjects, conditions);
          passes.push(await measureCases(selected, stage, one, summaryOf));
        }
        return selected.map((_, index) => joined(passes.map((results) => results[index])));
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

/** The rounds of a case in the passes before one. */
function roundsUntil(pass) {
  return Math.round((options.rounds * pass) / options.passes);
}

/** A server that has ended makes the cases fail that follow, and leaves the others their figures. */
async function breakInOrSay(stage, settled) {
  await breakIn(readById, stage, settled).catch(({ message }) => log(`The break-in failed: ${message}`));
}

function summaryOf({ ratio, work }) {
  const ofBaseline = `${ratio.toFixed(2)} of the baseline`;
  return work === null ? ofBaseline : `${ofBaseline}, ${work.toFixed(2)} for the same processor time`;
}
