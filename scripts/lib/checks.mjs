import { inRoot } from './paths.mjs';
import { runNode } from './run.mjs';

const CODE = '**/*.{ts,js,mjs,json,yml,yaml}';

/** They run beside the tests, and yield to them a little: tests wait for much of their time, and lint takes long. */
const PRIORITY = 3;
const OPTIONS = { quiet: true, priority: PRIORITY };

/**
 * Runs the static checks; each comes out as `{ name, passed, failed, seconds, output }`, one of the first two being 1.
 * Nothing is shown before `report()`.
 */
export async function runChecks() {
  return (await Promise.all([checkTypesAndLint(), checkFormat()])).flat();
}

async function checkTypesAndLint() {
  const begin = performance.now();
  const { output } = await runNode([inRoot('scripts/lib/types-and-lint.mjs')], OPTIONS);
  try {
    return JSON.parse(output).map(resultOf);
  } catch {
    return [resultOf({ name: 'lint', code: 1, output, seconds: secondsSince(begin) })];
  }
}

async function checkFormat() {
  const begin = performance.now();
  const prettier = inRoot('node_modules/prettier/bin/prettier.cjs');
  const cache = ['--cache', '--cache-location', inRoot('node_modules/.cache/prettier.json')];
  const { code, output } = await runNode([prettier, '--check', CODE, ...cache], OPTIONS);
  return resultOf({ name: 'format', code, output, seconds: secondsSince(begin) });
}

const resultOf = ({ name, code, seconds, output }) => ({
  name,
  passed: code === 0 ? 1 : 0,
  failed: code === 0 ? 0 : 1,
  seconds,
  output,
});

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
