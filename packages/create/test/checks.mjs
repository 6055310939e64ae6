import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { OWN_SETTINGS } from '../../../scripts/lib/own-service.mjs';
import { inRoot } from '../../../scripts/lib/paths.mjs';
import { run, runNode } from '../../../scripts/lib/run.mjs';
import { checkAttributes } from './attributes.mjs';
import { assertCreated, created, inProject, newDatabase, startAndLogIn } from './support.mjs';

/** Runs `npm start` in this repository, as in a fresh clone. */
export const checkClone = ({ check, folder }) =>
  check('npm start in a clone of the repository', async () => {
    const env = { ...OWN_SETTINGS, DATA_DIR: join(folder, 'clone') };
    await startAndLogIn(['npm', 'start'], { env, cwd: inRoot() });
  });

/** Checks that create-plinth explains each failure in a sentence and leaves nothing behind. */
export async function checkRefusals({ check, folder, env, packed, version }) {
  const place = join(folder, 'refused');
  mkdirSync(join(place, 'full/of'), { recursive: true });
  writeFileSync(join(place, `full/of/plinth-core-${version}.tgz`), 'another package');
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
    ['a missing release', [program, 'x', '--from', 'none'], /--from must name a folder .* \(got none\)/],
    [
      'the packages of another build',
      [program, 'x', '--from', 'full/of'],
      /the folder has no @plinth\/\w+ of this release \(got full\/of\)\.\nNothing was created/,
    ],
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
  await check('.ci/run in a new project', () => inProject(project, env, '.ci/run'));
  await check('a generator that fails writes nothing', () => checkUndoing(project, env));
  await check('npx plinth generate adds a module', async () => {
    for (const resource of RESOURCES)
      await inProject(project, env, 'npx', 'plinth', 'generate', 'resource', ...resource);
  });
  await check('generated code passes tsc, lint and format', async () => {
    await inProject(project, env, 'npm', 'run', 'client');
    await inProject(project, env, 'npx', 'tsc', '--noEmit');
    await inProject(project, env, 'npm', 'run', 'lint');
    await inProject(project, env, 'npm', 'run', 'format', '--', '--check');
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

/** Tries the packages in a folder, as a team without a registry does. */
export async function checkMinimal(setting) {
  const { check, folder, packed, version } = setting;
  const env = setting.withoutRegistry;
  const project = join(folder, 'small-api');
  await check('create-plinth --minimal --from a folder creates a project', async () => {
    const release = `./${relative(folder, packed)}`;
    const args = ['--yes', `${release}/create-plinth-${version}.tgz`, 'small-api', '--minimal'];
    assertCreated(await inProject(folder, env, 'npx', ...args, '--from', release), 'small-api');
    assert.doesNotMatch(
      readFileSync(join(project, 'docs/api-surface.txt'), 'utf8'),
      /product|orders|review|v2/i,
    );
    const deployment = readFileSync(join(project, 'deploy/kubernetes/deployment.yaml'), 'utf8');
    assert.deepEqual(deployment.match(/\S+\.example\.com|\S+@example\.com/g), [
      'https://small-api.example.com',
      'small-api@example.com',
      'admin@example.com',
    ]);
  });
  await check('the files of the image of a project', () => assertImageFiles(project));
  const clone = join(folder, 'small-clone');
  await check('.ci/run in a clone of a minimal project', async () => {
    await inProject(project, env, 'git', 'init', '--quiet');
    await inProject(project, env, 'git', 'add', '--all');
    await inProject(project, env, 'git', 'checkout-index', '--all', `--prefix=${clone}/`);
    await inProject(clone, env, '.ci/run');
  });
  await check('npm install of packed packages', async () => {
    const manifest = readFileSync(join(clone, 'package.json'), 'utf8');
    await inProject(clone, env, 'sh', '-c', 'npm install --prefer-offline ./vendor/*.tgz');
    assert.equal(readFileSync(join(clone, 'package.json'), 'utf8'), manifest);
  });
  await check('generated modules of a project with attributes pass their tests and the laws', () =>
    checkAttributes(clone, env),
  );
}

/** Checks that each path that a Dockerfile copies exists, and that .dockerignore allows the path. */
function assertImageFiles(project) {
  const read = (name) => readFileSync(join(project, name), 'utf8');
  const copied = [...read('Dockerfile').matchAll(/^COPY (?!--from)(.+) \S+$/gm)]
    .flatMap(([, paths]) => paths.split(' '))
    .filter((path) => path !== '.npmrc*');
  assert(copied.includes('vendor'), 'the image gets no packages');
  const allowed = read('.dockerignore').split('\n');
  for (const path of copied) {
    assert(existsSync(join(project, path)), `${path} is missing`);
    assert(allowed.includes(`!${path}`), `.dockerignore excludes ${path}`);
  }
}
