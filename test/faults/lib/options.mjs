import { parseArgs } from 'node:util';

const USAGE = `npm run test:faults -- [options]

  --short           what CI runs, in a few minutes (the default)
  --long            every experiment, more rounds and longer ones: for nights
  --only <name>     one experiment, may be repeated; those that only --long runs too
  --seed <n>        where the random numbers start; the one of a run is printed at its start
  --verbose         says more of rows that are as they have to be
  --list            names the experiments
  --help`;

/** Reads the command line. Ends the process after `--help`, `--list` and after a fault. */
export function readOptions(args, experiments) {
  let values;
  try {
    ({ values } = parseArgs({
      args,
      options: {
        short: { type: 'boolean' },
        long: { type: 'boolean' },
        only: { type: 'string', multiple: true },
        seed: { type: 'string', default: String(Date.now() % 1_000_000) },
        verbose: { type: 'boolean' },
        list: { type: 'boolean' },
        help: { type: 'boolean' },
      },
    }));
  } catch (error) {
    fail(error.message);
  }
  if (values.help) exit(USAGE);
  if (values.list) exit(experiments.map(describe).join('\n'));
  if (values.short && values.long) fail('--short and --long exclude each other');
  if (!/^\d+$/.test(values.seed)) fail(`--seed takes a whole number, not "${values.seed}"`);
  const names = new Set(experiments.map(({ name }) => name));
  const unknown = values.only?.find((name) => !names.has(name));
  if (unknown) fail(`--only ${unknown}: no such experiment. They are ${[...names].join(', ')}`);
  return {
    isLong: values.long ?? false,
    isVerbose: values.verbose ?? false,
    seed: Number(values.seed),
    experiments: experiments.filter(({ name, isLongOnly }) =>
      values.only ? values.only.includes(name) : values.long || !isLongOnly,
    ),
  };
}

const describe = ({ name, about, isLongOnly }) =>
  `${name.padEnd(22)} ${about}${isLongOnly ? ' (--long)' : ''}`;

function exit(text) {
  console.log(text);
  process.exit(0);
}

function fail(text) {
  console.error(`${text}\n\n${USAGE}`);
  process.exit(2);
}
