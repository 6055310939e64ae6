import assert from 'node:assert/strict';
import { join } from 'node:path';
import pg from 'pg';
import { removeEmbeddedDatabase } from '../../dev/dist/embedded-postgres/embedded-database.js';
import { ADMIN, startService } from '../../../scripts/lib/own-service.mjs';
import { run } from '../../../scripts/lib/run.mjs';

/** Runs a program in a project. @throws Error with its output if it fails */
export async function inProject(project, env, command, ...args) {
  const { code, output } = await run(command, args, { cwd: project, env, quiet: true });
  assert.equal(code, 0, `${command} ${args.join(' ')} ended with ${code}:\n${output}`);
  return output;
}

/** Creates a project like `npm create plinth`, from the packages of a release. @returns its folder */
export async function created(setting, [packed, version], name, ...options) {
  const tarball = join(packed, `create-plinth-${version}.tgz`);
  const args = ['exec', '--yes', `--package=${tarball}`, '--', 'create-plinth', name, ...options];
  const output = await inProject(setting.folder, setting.env, 'npm', ...args);
  assertCreated(output, name);
  return join(setting.folder, name);
}

export const assertCreated = (output, name) => assert.match(output, new RegExp(`cd ${name}\n +npm start`));

/** Starts a service, logs its administrator in, and stops the service with its embedded database. */
export async function startAndLogIn(command, { env, cwd }) {
  const service = await startService(command, { env, cwd });
  await logIn(service).finally(service.stop);
  if (env.DATA_DIR) await removeEmbeddedDatabase(join(env.DATA_DIR, 'database'));
}

export async function newDatabase({ database }, name) {
  const client = new pg.Client(database);
  await client.connect();
  await client.query(`create database ${name}`).finally(() => client.end());
  return Object.assign(new URL(database), { pathname: `/${name}` }).href;
}

export async function logIn({ origin }) {
  const headers = { 'content-type': 'application/json', 'x-forwarded-proto': 'https' };
  const response = await fetch(`${origin}/api/v1/login`, {
    method: 'POST',
    headers,
    body: JSON.stringify(ADMIN),
  });
  assert.equal(response.status, 200, await response.clone().text());
  return { ...headers, authorization: `Bearer ${(await response.json()).accessToken}` };
}
