import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { heading, secondsSince } from './checks.mjs';
import { inRoot } from './paths.mjs';
import { runNode } from './run.mjs';

/**
 * Runs Jest, all projects, with its own output shown; resolves to `{ name, passed, failed, seconds }`. A file that
 * could not be loaded, or a run that ended badly without a failed test, counts as one failure.
 */
export async function runJest(args) {
  heading('tests');
  const begin = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'service-test-'));
  const outputFile = join(folder, 'result.json');
  try {
    const jest = inRoot('node_modules/jest/bin/jest.js');
    const { code } = await runNode([jest, '--json', '--outputFile', outputFile, ...args]);
    const { passed, failed } = countsOf(outputFile);
    return { name: 'tests', passed, failed: failed || (code === 0 ? 0 : 1), seconds: secondsSince(begin) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function countsOf(file) {
  try {
    const result = JSON.parse(readFileSync(file, 'utf8'));
    return {
      passed: result.numPassedTests,
      failed: result.numFailedTests + result.numRuntimeErrorTestSuites,
    };
  } catch {
    return { passed: 0, failed: 0 };
  }
}
