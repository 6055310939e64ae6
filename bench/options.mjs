import { parseArgs } from 'node:util';

const USAGE = `npm run bench -- [options]

  --processes <n>      pairs of server processes, one after the other     (2)
  --rounds <n>         rounds for each case and pair; a round loads both servers in turn  (8)
  --seconds <n>        length of one load                                 (1)
  --warmup <n>         seconds of load before a case's first round        (8)
  --break-in <n>       seconds of reads by id before the first case       (15)
  --connections <n>    open connections, each with one request at a time  (64)
  --products <n>       products seeded into an empty table                (100000)
  --data <folder>      keeps the database in a folder, so that the next run can use its rows
  --only <case>        a case's name, may be repeated
  --against <N=value>  measures a setting: the baseline is this server with the environment variable, may be repeated
  --load-tool <tool>   wrk or autocannon                      (wrk if on the PATH)
  --server-cpus <list> where the measured server runs                     (0)
  --load-cpus <list>   where the load and PostgreSQL run                  (1)
  --smoke              2,000 products, one round of one second: only checks that everything works
  --help

BENCH_DATABASE_URL   a PostgreSQL database that nothing else uses. The benchmark migrates it, seeds it if it has no products, and adds
                     200 users with orders and reviews, which stay. It removes the products, orders and idempotency
                     keys that it creates later.`;

/** The default of `--products`. */
export const PRODUCTS = 100_000;

const MAY_BE_ZERO = new Set(['warmup', 'break-in']);

const number = (byDefault) => ({ type: 'string', default: String(byDefault) });

/**
 * Reads the command line. Exits after `--help`, and with a message if an option is wrong.
 * @param {string[]} args
 * @param {string[]} caseNames
 */
export function readOptions(args, caseNames) {
  const options = attempt(() => parse(args));
  if (options.help) {
    console.log(`${USAGE}\n\nCases: ${caseNames.join(', ')}`);
    process.exit(0);
  }
  const {
    processes,
    rounds,
    seconds,
    warmup,
    connections,
    products,
    'break-in': breakIn,
    ...others
  } = options;
  const times = { processes, rounds, seconds, warmup, 'break-in': breakIn };
  const given = { ...times, connections, products };
  const { 'break-in': breakInSeconds, ...numbers } = attempt(() => wholeNumbers(given));
  const unknown = options.only?.find((name) => !caseNames.includes(name));
  if (unknown) fail(`--only must be one of ${caseNames.join(', ')} (got ${unknown})`);
  const settings = (options.against ?? []).map((text) => text.split(/=(.*)/s));
  if (settings.some(([, value]) => value === undefined)) fail('--against must be NAME=value');
  return {
    ...others,
    against: options.against && Object.fromEntries(settings.map(([name, value]) => [name, value])),
    ...numbers,
    breakIn: breakInSeconds,
    command: commandLine('bench', args),
  };
}

/**
 * @template {string} Name
 * @param {Record<Name, string>} texts the given values by option
 * @returns {Record<Name, number>}
 * @throws {Error} if a value is not a whole number above zero; the warm-up options may be 0
 */
export function wholeNumbers(texts) {
  const numbers = Object.entries(texts).map(([name, text]) => {
    if (!/^\d+$/.test(text) || (Number(text) === 0 && !MAY_BE_ZERO.has(name)))
      throw new Error(`--${name} must be a whole number above zero (got "${text}")`);
    return [name, Number(text)];
  });
  return Object.fromEntries(numbers);
}

/** @param {string} script @param {string[]} args @returns {string} the command as it was given */
export const commandLine = (script, args) =>
  [`npm run ${script}`, ...(args.length > 0 ? ['--', ...args] : [])].join(' ');

function parse(args) {
  const isSmoke = args.includes('--smoke');
  const { values } = parseArgs({
    args,
    options: {
      processes: number(isSmoke ? 1 : 2),
      rounds: number(isSmoke ? 1 : 8),
      seconds: number(1),
      warmup: number(isSmoke ? 0 : 8),
      'break-in': number(isSmoke ? 0 : 15),
      connections: number(64),
      products: number(isSmoke ? 2000 : PRODUCTS),
      data: { type: 'string' },
      only: { type: 'string', multiple: true },
      against: { type: 'string', multiple: true },
      'load-tool': { type: 'string' },
      'server-cpus': { type: 'string', default: '0' },
      'load-cpus': { type: 'string', default: '1' },
      smoke: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const { 'load-tool': loadTool, 'server-cpus': serverCpus, 'load-cpus': loadCpus, ...others } = values;
  return { ...others, loadTool, serverCpus, loadCpus };
}

function attempt(read) {
  try {
    return read();
  } catch (error) {
    return fail(error.message);
  }
}

/** @returns {never} */
function fail(message) {
  console.error(`${message}\n\n${USAGE}`);
  process.exit(2);
}
