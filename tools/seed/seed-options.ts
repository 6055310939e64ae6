import { parseArgs } from 'node:util';

import { UsageError } from '../usage-error.js';
import { FIRST_DEMO_ID, LAST_DEMO_ID } from './demo/demo-rows.js';
import { Generator } from './generator.js';
import { GENERATORS } from './generators.js';

/** The most rows of one kind: a hundredth of the ids that there are. */
const MAX_COUNT = 20_000_000;
const MAX_SEED = 2 ** 32 - 1;

export interface SeedOptions {
  readonly wanted: readonly { readonly generator: Generator; readonly count: number }[];
  readonly seed: number;
  /** Whether the demo data is wanted. */
  readonly demo: boolean;
  /** The file that holds the password of the demo's users; left out, one is generated. */
  readonly passwordFile?: string;
}

export const USAGE = `npm run seed -- [options]

Adds made-up rows to the database: that of DATABASE_URL, else the embedded one, whether the service runs or not.
What is there stays as it is; orders and reviews refer to it, and to what is added with them. Rows are added in
batches; an interrupted run keeps those that are complete.

${GENERATORS.map(({ name }) => `  --${name} <n>`.padEnd(18) + `how many ${name} to add`).join('\n')}
  --seed <n>      where the random numbers start: the same start, the same rows (1)
  --demo          the demo data, at the ids from ${FIRST_DEMO_ID} to ${LAST_DEMO_ID}, which must be free: what the examples of the
                  OpenAPI document show. Where it is there already, it is put back as it was
  --password-file <path>
                  holds the password of the demo's users; without it, one is generated and shown once
  --help`;

/**
 * Reads the command line.
 *
 * @returns what to make, or null where only help was asked for
 * @throws UsageError
 */
export function readSeedOptions(args: readonly string[]): SeedOptions | null {
  const values = parse(args);
  if (values['help']) return null;
  const wanted = GENERATORS.flatMap((generator) => {
    const text = values[generator.name];
    return text === undefined
      ? []
      : [{ generator, count: wholeNumber(generator.name, String(text), 1, MAX_COUNT) }];
  });
  const { demo = false, seed = 1, 'password-file': passwordFile } = values;
  if (wanted.length === 0 && !demo)
    throw new UsageError('nothing to add: say how many, such as --products 1000, or --demo');
  if (passwordFile !== undefined && !demo) throw new UsageError('--password-file goes with --demo');
  return {
    wanted,
    seed: wholeNumber('seed', String(seed), 0, MAX_SEED),
    demo: demo === true,
    ...(typeof passwordFile === 'string' && { passwordFile }),
  };
}

function parse(args: readonly string[]): Record<string, string | boolean | undefined> {
  const counts = GENERATORS.map(({ name }) => [name, { type: 'string' }] as const);
  try {
    return parseArgs({
      args: [...args],
      options: {
        ...Object.fromEntries(counts),
        seed: { type: 'string' },
        demo: { type: 'boolean' },
        'password-file': { type: 'string' },
        help: { type: 'boolean' },
      },
    }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function wholeNumber(option: string, text: string, min: number, max: number): number {
  const number = /^\d{1,10}$/.test(text) ? Number(text) : NaN;
  if (number >= min && number <= max) return number;
  throw new UsageError(
    `--${option}: got ${JSON.stringify(text)}, takes a whole number from ${min} to ${max}`,
  );
}
