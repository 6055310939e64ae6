import { inRoot } from './paths.mjs';
import { runNode } from './run.mjs';

const CODE = '**/*.{ts,js,mjs,json,yml,yaml}';

/**
 * Runs the static checks; each comes out as `{ name, passed, failed, seconds, output }`, one of the first two being 1.
 * Nothing is shown before `report()`.
 */
export async function runChecks() {
  return Promise.all([
    // One program for both: the rules that are aware of types have made them. CI asks the compiler of the build as well.
    check('lint', [inRoot('node_modules/oxlint/bin/oxlint'), '--type-check']),
    check('format', [inRoot('node_modules/oxfmt/bin/oxfmt'), '--check', CODE]),
  ]);
}

async function check(name, program) {
  const begin = performance.now();
  const { code, output } = await runNode(program, { quiet: true });
  const failed = code === 0 ? 0 : 1;
  return { name, passed: 1 - failed, failed, seconds: secondsSince(begin), output };
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
