import { inRoot } from './paths.mjs';
import { runNode } from './run.mjs';

const CACHE = 'node_modules/.cache';
const CODE = '**/*.{ts,js,mjs,json,yml,yaml}';

/** They run beside the tests, and yield to them a little: tests wait for much of their time, and lint takes long. */
const PRIORITY = 3;
/** Each lane runs one after the other; they take about as long. */
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
  ],
  [
    {
      name: 'types',
      args: ['typescript/bin/tsc', '--noEmit', '--incremental', '--tsBuildInfoFile', `${CACHE}/types.json`],
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
];

/**
 * Runs the static checks; each comes out as `{ name, passed, failed, seconds, output }`, one of the first two being 1.
 * Nothing is shown before `report()`.
 */
export async function runChecks() {
  const lanes = LANES.map(async (lane) => {
    const results = [];
    for (const check of lane) results.push(await runCheck(check));
    return results;
  });
  return (await Promise.all(lanes)).flat();
}

async function runCheck({ name, args: [program, ...args] }) {
  const begin = performance.now();
  const options = { quiet: true, priority: PRIORITY };
  const { code, output } = await runNode([inRoot('node_modules', program), ...args], options);
  return {
    name,
    passed: code === 0 ? 1 : 0,
    failed: code === 0 ? 0 : 1,
    seconds: secondsSince(begin),
    output,
  };
}

/** Prints the output of what failed, and the summary; returns the exit code. */
export function report(results) {
  for (const { name, failed, output } of results) {
    if (!failed || !output) continue;
    heading(name);
    console.log(output.trimEnd());
  }
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
