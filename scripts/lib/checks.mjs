import { inRoot } from './paths.mjs';
import { runNode } from './run.mjs';

const CACHE = 'node_modules/.cache';
const CODE = '**/*.{ts,js,mjs,json,yml,yaml}';

/** Lint and format share a core, types take the other. */
const LANES = [
  [
    {
      name: 'lint',
      args: [
        'eslint/bin/eslint.js',
        '.',
        '--cache',
        '--cache-location',
        `${CACHE}/eslint/`,
        '--max-warnings=0',
      ],
    },
    {
      name: 'format',
      args: [
        'prettier/bin/prettier.cjs',
        '--check',
        CODE,
        '--cache',
        '--cache-location',
        `${CACHE}/prettier.json`,
      ],
    },
  ],
  [
    {
      name: 'types',
      args: ['typescript/bin/tsc', '--noEmit', '--incremental', '--tsBuildInfoFile', `${CACHE}/types.json`],
    },
  ],
];

/** Runs the static checks; each comes out as `{ name, passed, failed, seconds }`, one or the other being 1. */
export async function runChecks() {
  heading('lint, format, types');
  const lanes = LANES.map(async (lane) => {
    const results = [];
    for (const check of lane) results.push(await runCheck(check));
    return results;
  });
  return (await Promise.all(lanes)).flat();
}

async function runCheck({ name, args: [program, ...args] }) {
  const begin = performance.now();
  const { code, output } = await runNode([inRoot('node_modules', program), ...args], { quiet: true });
  const result = {
    name,
    passed: code === 0 ? 1 : 0,
    failed: code === 0 ? 0 : 1,
    seconds: secondsSince(begin),
  };
  if (result.failed) console.log(output.trimEnd());
  console.log(line(result));
  return result;
}

/** Prints the summary and returns the exit code. */
export function report(results) {
  heading('summary');
  for (const result of results) console.log(line(result));
  const total = (key) => results.reduce((sum, result) => sum + result[key], 0);
  console.log(`\n${total('passed')} passed, ${total('failed')} failed`);
  return total('failed') === 0 ? 0 : 1;
}

export const heading = (text) => console.log(`\n=== ${text}`);
export const secondsSince = (begin) => (performance.now() - begin) / 1000;

const line = ({ name, passed, failed, seconds }) =>
  `${failed ? 'FAIL' : 'ok  '} ${name.padEnd(8)} ${`${passed} passed, ${failed} failed`.padEnd(28)} ${seconds.toFixed(1)} s`;
