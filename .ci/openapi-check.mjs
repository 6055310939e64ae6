/**
 * Lints the OpenAPI document: Spectral with its rules for OpenAPI and OWASP's for APIs, and Redocly's recommended
 * rules. Any finding fails. The linters are installed into a folder of their own, from their own lock file.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { DOCUMENT, ensureDocument } from '../scripts/lib/openapi.mjs';
import { inRoot } from '../scripts/lib/paths.mjs';

const folder = mkdtempSync(join(tmpdir(), 'openapi-linters-'));
try {
  await ensureDocument();
  cpSync(inRoot('.ci/openapi'), folder, { recursive: true });
  cpSync(DOCUMENT, join(folder, 'openapi.json'));
  await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']);
  await run('node_modules/.bin/spectral', [
    ...['lint', 'openapi.json', '--ruleset', 'spectral.yaml'],
    '--fail-severity=hint',
  ]);
  // Its exit code is about errors alone.
  const report = await run('node_modules/.bin/redocly', [
    ...['lint', 'openapi.json', '--extends', 'recommended'],
    ...['--format', 'json'],
  ]);
  const { problems } = JSON.parse(report);
  for (const { ruleId, message, location } of problems)
    console.error(`${ruleId}: ${message} ${location[0]?.pointer ?? ''}`);
  if (problems.length > 0) throw new Error(`Redocly finds ${problems.length} problems`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** The standard output of a command. @throws Error where it fails */
async function run(command, args) {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const child = spawn(command, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
  const [code] = await once(child, 'close');
  if (code === 0) return output;
  throw new Error(`${command} ${args[0]} fails with ${code}\n${output}`);
}
