/**
 * `npm test` installs what is missing. Then it runs all tests except those of `npm run test:operations`, together with
 * lint, format and type checks. `npm test -- <arguments>` runs only Jest, with those arguments.
 */
import './lib/node-version.mjs';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { heading, report, secondsSince } from './lib/checks.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { inRoot, root } from './lib/paths.mjs';
import { runNode } from './lib/run.mjs';

process.chdir(root);
const args = process.argv.slice(2);
await ensureInstalled();
const results =
  args.length > 0
    ? [await runJest(args)]
    : await Promise.all([
        // The type-aware lint rules check types too. CI also runs the compiler of the build.
        check('lint', inRoot('node_modules/oxlint/bin/oxlint'), '--type-check'),
        check('format', inRoot('node_modules/oxfmt/bin/oxfmt'), '--check', '**/*.{ts,js,mjs,json,yml,yaml}'),
        runJest(['--ignoreProjects', 'operations']),
      ]);
process.exitCode = report(results);

/** Runs a static check. `report()` shows its output if it fails. */
async function check(name, ...program) {
  const begin = performance.now();
  const { code, output } = await runNode(program, { quiet: true });
  const failed = code === 0 ? 0 : 1;
  return { name, passed: 1 - failed, failed, seconds: secondsSince(begin), output };
}

/**
 * Runs Jest and shows its output. A file that could not be loaded, or a run that failed without a failed test, counts as
 * one failure.
 */
async function runJest(options) {
  heading('tests');
  const begin = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'service-test-'));
  const outputFile = join(folder, 'result.json');
  try {
    const jest = inRoot('node_modules/jest/bin/jest.js');
    const { code } = await runNode([jest, '--json', '--outputFile', outputFile, ...options]);
    const { passed, failed } = countsOf(outputFile);
    return { name: 'tests', passed, failed: failed || (code === 0 ? 0 : 1), seconds: secondsSince(begin) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function countsOf(file) {
  try {
    const { numPassedTests, ...result } = JSON.parse(readFileSync(file, 'utf8'));
    return { passed: numPassedTests, failed: result.numFailedTests + result.numRuntimeErrorTestSuites };
  } catch {
    return { passed: 0, failed: 0 };
  }
}
