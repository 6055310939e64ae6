/** The command line of `npm run bench:peers`. */
import { parseArgs } from 'node:util';
import { commandLine, wholeNumbers } from '../options.mjs';

const USAGE = `npm run bench:peers -- [options]

  --only <peer>        a peer's name, may be repeated
  --case <case>        a case's name, may be repeated
  --rounds <n>         rounds, each loading all servers in turn           (3)
  --seconds <n>        length of one load                                 (4)
  --warmup <n>         seconds of load before the first round             (2)
  --connections <n>    open connections, each waiting for its answer      (64)
  --products <n>       products in the table                              (100000)
  --smoke              2,000 products, one round of one second: does it work at all?
  --install            installs the peers' packages, and ends: what needs the network, and most of the time
  --help

A run of all peers and cases writes bench/results/peers.*, others peers-partial.* or peers-smoke.*, which are not committed.`;

/**
 * Reads the command line. Ends the process after `--help` and after a fault, saying which.
 * @param {string[]} args
 * @param {{ name: string }[]} peers
 * @param {{ name: string }[]} questions
 */
export function readPeerOptions(args, peers, questions) {
  const names = `Peers: ${peers.map(({ name }) => name).join(', ')}\nCases: ${questions.map(({ name }) => name).join(', ')}`;
  try {
    const options = parse(args, peers, questions);
    if (!options.help) return options;
    console.log(`${USAGE}\n\n${names}`);
    process.exit(0);
  } catch (error) {
    console.error(`${error.message}\n\n${USAGE}\n\n${names}`);
    process.exit(2);
  }
}

/** @throws {Error} where an option is unknown, or its value cannot be used */
export function parse(args, peers, questions) {
  const isSmoke = args.includes('--smoke');
  const number = (full, smoke) => ({ type: 'string', default: String(isSmoke ? smoke : full) });
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string', multiple: true },
      case: { type: 'string', multiple: true },
      rounds: number(3, 1),
      seconds: number(4, 1),
      warmup: number(2, 0),
      connections: number(64, 64),
      products: number(100_000, 2000),
      smoke: { type: 'boolean', default: false },
      install: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  for (const [option, known] of Object.entries({ only: peers, case: questions })) {
    const unknown = values[option]?.find((name) => known.every((each) => each.name !== name));
    if (unknown !== undefined)
      throw new Error(`--${option} ${unknown}: there are ${known.map(({ name }) => name).join(', ')}`);
  }
  const { rounds, seconds, warmup, connections, products, ...others } = values;
  return {
    ...others,
    ...wholeNumbers({ rounds, seconds, warmup, connections, products }),
    command: commandLine('bench:peers', args),
  };
}
