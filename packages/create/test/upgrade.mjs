import assert from 'node:assert/strict';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { OWN_SETTINGS, startService } from '../../../scripts/lib/own-service.mjs';
import { inRoot } from '../../../scripts/lib/paths.mjs';
import { schemaOf } from './schema.mjs';
import { created, inProject, logIn, newDatabase } from './support.mjs';

/** Upgrades a project of the last release, with rows, while its old instance serves. */
export async function checkUpgrade(setting) {
  const { check, env, before, version } = setting;
  const url = await newDatabase(setting, 'upgraded');
  const on = { ...env, ...OWN_SETTINGS, DATABASE_URL: url, RATE_LIMIT: '0' };
  let project;
  let old;
  await check(`create-plinth ${before} creates a project`, async () => {
    project = await created(setting, [inRoot('releases', before), before], 'old-api');
    await inProject(
      project,
      on,
      'npm',
      'run',
      'seed',
      '--',
      '--products',
      '200',
      '--users',
      '50',
      '--orders',
      '99',
    );
    old = `${project}-serving`;
    cpSync(project, old, { recursive: true, verbatimSymlinks: true });
  });
  await check(`npm update from ${before}`, async () => {
    await inProject(project, env, 'npm', 'update', '@plinth/core', '@plinth/dev', '--prefer-offline');
    const core = readFileSync(join(project, 'node_modules/@plinth/core/package.json'), 'utf8');
    assert.equal(JSON.parse(core).version, version);
  });
  await check('tsc after the upgrade', () => inProject(project, env, 'npx', 'tsc', '--noEmit'));
  await check('npm test after the upgrade', () => inProject(project, env, 'npm', 'test'));
  await check('migrations while the old instance serves', async () => {
    addMigration(project);
    await inProject(project, env, 'npm', 'run', 'build');
    const service = await startService(['node', 'dist/src/main.js'], { env: on, cwd: old });
    const answers = await requestsWhile(service, () => inProject(project, on, 'npm', 'run', 'migrate'));
    await service.stop();
    assert(answers.length > 20, `${answers.length} answers`);
    assert.deepEqual(
      answers.filter((status) => status < 200 || status > 299),
      [],
    );
  });
  await check('the upgraded schema equals that of a new project', async () => {
    const fresh = await newDatabase(setting, 'fresh');
    await inProject(project, { ...on, DATABASE_URL: fresh }, 'npm', 'run', 'migrate');
    assert.deepEqual(await schemaOf(url), await schemaOf(fresh));
  });
}

/** A migration of the project itself, in addition to those of the release. */
function addMigration(project) {
  const list = join(project, 'src/migrations/migrations.ts');
  const migration = `class AddSku1799999999999 {
  up = (runner: { query(sql: string): Promise<unknown> }) =>
    runner.query('alter table products add column sku varchar(20)');
  down = () => Promise.resolve();
}

export const`;
  const text = readFileSync(list, 'utf8').replace('export const', migration);
  writeFileSync(list, text.replace('];', 'AddSku1799999999999];'));
}

/** Reads and writes during some work, and a moment before and after. @returns the responses */
async function requestsWhile(service, work) {
  const headers = await logIn(service);
  const answers = [];
  const end = new AbortController();
  const ask = async () => {
    for (let number = 0; !end.signal.aborted; number += 1) {
      const body = JSON.stringify({ name: `Lamp ${number}`, price: 5, category: 'lamps' });
      const write = number % 2 === 1 && { method: 'POST', body };
      const response = await fetch(`${service.origin}/api/v1/products`, { headers, ...write });
      answers.push(response.status);
      await response.text();
      await sleep(20);
    }
  };
  const asking = ask();
  await sleep(500);
  await work();
  await sleep(500);
  end.abort();
  await asking;
  return answers;
}
