import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { removeEmbeddedDatabase } from '../../dev/dist/embedded-postgres/embedded-database.js';
import { ADMIN, OWN_SETTINGS, startService } from '../../../scripts/lib/own-service.mjs';
import { inRoot } from '../../../scripts/lib/paths.mjs';
import { run, runNode } from '../../../scripts/lib/run.mjs';
import { schemaOf } from './schema.mjs';

/** Runs a program in a project. @throws Error with its output if it fails */
async function inProject(project, env, command, ...args) {
  const { code, output } = await run(command, args, { cwd: project, env, quiet: true });
  assert.equal(code, 0, `${command} ${args.join(' ')} ended with ${code}:\n${output}`);
  return output;
}

/** Creates a project like `npm create plinth`, from the packages of a release. @returns its folder */
async function created(setting, [packed, version], name, ...options) {
  const tarball = join(packed, `create-plinth-${version}.tgz`);
  const args = ['exec', '--yes', `--package=${tarball}`, '--', 'create-plinth', name, ...options];
  const output = await inProject(setting.folder, setting.env, 'npm', ...args);
  assert.match(output, new RegExp(`cd ${name}\n +npm start`));
  return join(setting.folder, name);
}

/** Runs `npm start` in this repository, as in a fresh clone. */
export const checkClone = ({ check, folder }) =>
  check('npm start in a clone of the repository', async () => {
    const env = { ...OWN_SETTINGS, DATA_DIR: join(folder, 'clone') };
    await startAndLogIn(['npm', 'start'], { env, cwd: inRoot() });
  });

/** Starts a service, logs its administrator in, and stops the service with its embedded database. */
async function startAndLogIn(command, { env, cwd }) {
  const service = await startService(command, { env, cwd });
  await logIn(service).finally(service.stop);
  if (env.DATA_DIR) await removeEmbeddedDatabase(join(env.DATA_DIR, 'database'));
}

/** Checks that create-plinth explains each failure in a sentence and leaves nothing behind. */
export async function checkRefusals({ check, folder, env, packed, version }) {
  const place = join(folder, 'refused');
  mkdirSync(join(place, 'full/of'), { recursive: true });
  await inProject(folder, env, 'tar', '-xzf', join(packed, `create-plinth-${version}.tgz`));
  const program = join(folder, 'package/create-plinth.mjs');
  const old = `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'18.20.0'})`;
  const registry = { npm_config_registry: 'http://127.0.0.1:9/', npm_config_userconfig: '/dev/null' };
  const offline = {
    ...env,
    ...registry,
    npm_config_cache: join(folder, 'cache'),
    npm_config_fetch_retries: '0',
  };
  const refusals = [
    ['no folder', [program], /Name one folder/],
    ['a folder that is not empty', [program, 'full'], /full is not empty/],
    [
      'a folder that is not named like a package',
      [program, 'My API'],
      /valid name of an npm package.* \(got My API\)/,
    ],
    ['a name that is taken', [program, 'typeorm'], /The project imports a package named typeorm/],
    ['an old Node.js', ['--import', old, program, 'x'], /needs Node\.js 20\.19 or newer; this is 18\.20\.0/],
    ['no network', [program, 'x'], /npm cannot reach its registry \(ECONNREFUSED\)[^]*Nothing was created/],
  ];
  for (const [name, args, sentence] of refusals)
    await check(`create-plinth refuses ${name}`, async () => {
      const { code, output } = await runNode(args, { cwd: place, env: offline, quiet: true });
      assert.equal(code, 1, output);
      assert.match(output, sentence);
      assert.deepEqual(readdirSync(place), ['full']);
    });
  await check('create-plinth leaves nothing behind when it is stopped half-way', async () => {
    const here = join(folder, 'here');
    mkdirSync(join(here, '.git'), { recursive: true });
    const waiting = { ...offline, npm_config_fetch_retries: '9' };
    const child = spawn(process.execPath, [program, '.'], { cwd: here, env: waiting });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text));
    while (!said.includes('Installing')) await sleep(50);
    await sleep(1000);
    child.kill('SIGTERM');
    // npm itself would repeat its requests for eight minutes.
    const begin = performance.now();
    assert.deepEqual(await once(child, 'close'), [1, null]);
    assert(performance.now() - begin < 60_000, 'create-plinth continues after the signal');
    assert.match(said, /Stopped by SIGTERM\.\nNothing was created\./);
    assert.deepEqual(readdirSync(here), ['.git']);
  });
}

const FIELDS =
  'name:text(200)! country:text(100)? founded:date? price:money kind:choice(new|used) rank:integer(1..500) ' +
  'weight:decimal(8,3)? isOpen:boolean seenAt:timestamp? contact:email? site:url?';
const RESOURCES = [
  ['brands', ...FIELDS.split(' ')],
  ['shop-shelves', 'title:text(200)', 'price:money', '--parent', 'products', '--owner', 'user'],
];

export async function checkProject(setting) {
  const { check, env, folder, packed, version } = setting;
  const project = join(folder, 'my-api');
  await check('create-plinth creates a project', () => created(setting, [packed, version], 'my-api'));
  await check('npm start in a new project', async () => {
    const settings = { ...env, ...OWN_SETTINGS, DATA_DIR: join(folder, 'data') };
    await startAndLogIn(['npm', 'start'], { env: settings, cwd: project });
  });
  await check('npm test in a new project', () => inProject(project, env, 'npm', 'test'));
  await check('a generator that fails writes nothing', () => checkUndoing(project, env));
  await check('npx plinth generate adds a module', async () => {
    for (const resource of RESOURCES)
      await inProject(project, env, 'npx', 'plinth', 'generate', 'resource', ...resource);
  });
  await check('generated code passes tsc, lint and format', async () => {
    const made = RESOURCES.flatMap(([name]) => [`src/${name}`, `test/e2e/${name}.test.ts`]);
    await inProject(project, env, 'npx', 'tsc', '--noEmit');
    const lint = { ...env, OXLINT_TSGOLINT_PATH: inRoot('node_modules/.bin/tsgolint') };
    const rules = ['-c', inRoot('.oxlintrc.json')];
    await inProject(project, lint, inRoot('node_modules/.bin/oxlint'), ...rules, ...made);
    const formatted = [...made, 'src/app.module.ts', 'src/migrations'];
    await inProject(project, env, 'npx', 'oxfmt', '-c', inRoot('.oxfmtrc.json'), '--check', ...formatted);
  });
  await check('the tests of two generated modules and the laws pass', () =>
    inProject(project, env, 'npx', 'jest', 'laws', ...RESOURCES.map(([name]) => name)),
  );
  await check('the project serves in production', async () => {
    const production = join(folder, 'production');
    await inProject(project, env, 'npm', 'run', 'build');
    for (const name of ['package.json', 'package-lock.json', 'dist'])
      cpSync(join(project, name), join(production, name), { recursive: true });
    await inProject(production, env, 'npm', 'ci', '--omit=dev', '--ignore-scripts', '--prefer-offline');
    assert(!existsSync(join(production, 'node_modules/@plinth/dev')), '@plinth/dev is installed');
    const url = await newDatabase(setting, 'production');
    const secrets = { JWT_SECRET: 'only-for-this-check-of-at-least-32-bytes', TRUST_PROXY: '1' };
    const settings = { ...OWN_SETTINGS, ...secrets, DATABASE_URL: url, MAIL: 'off', NODE_ENV: 'production' };
    await startAndLogIn(['node', 'dist/src/main.js'], { env: settings, cwd: production });
  });
}

/** Checks that a failure half-way, here of the migration, leaves everything as it was. */
async function checkUndoing(project, env) {
  const list = join(project, 'src/migrations/migrations.ts');
  const text = readFileSync(list, 'utf8');
  const failing = "if (process.argv.includes('migration:generate')) throw new Error('no migration');";
  writeFileSync(list, `${text}\n${failing}\n`);
  const state = () => [
    ...['src', 'test/e2e', 'src/migrations'].flatMap((name) => readdirSync(join(project, name))),
    readFileSync(join(project, 'src/app.module.ts'), 'utf8'),
  ];
  const existing = state();
  const args = ['plinth', 'generate', 'resource', 'wheels', 'name:text(200)'];
  const { code, output } = await run('npx', args, { cwd: project, env, quiet: true });
  writeFileSync(list, text);
  assert.equal(code, 1, output);
  assert.match(output, /Nothing was written\./);
  assert.deepEqual(state(), existing);
}

export async function checkMinimal(setting) {
  const { check, env, folder, packed, version } = setting;
  const project = join(folder, 'small-api');
  await check('create-plinth --minimal creates a project', async () => {
    await created(setting, [packed, version], 'small-api', '--minimal');
    assert.doesNotMatch(
      readFileSync(join(project, 'docs/api-surface.txt'), 'utf8'),
      /product|orders|review/i,
    );
  });
  await check('npm test in a minimal project', () => inProject(project, env, 'npm', 'test'));
}

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

async function newDatabase({ database }, name) {
  const client = new pg.Client(database);
  await client.connect();
  await client.query(`create database ${name}`).finally(() => client.end());
  return Object.assign(new URL(database), { pathname: `/${name}` }).href;
}

async function logIn({ origin }) {
  const headers = { 'content-type': 'application/json', 'x-forwarded-proto': 'https' };
  const response = await fetch(`${origin}/api/v1/login`, {
    method: 'POST',
    headers,
    body: JSON.stringify(ADMIN),
  });
  assert.equal(response.status, 200, await response.clone().text());
  return { ...headers, authorization: `Bearer ${(await response.json()).accessToken}` };
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
