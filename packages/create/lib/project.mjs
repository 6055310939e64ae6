import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { isBuiltin } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { leaveOutExample } from './minimal.mjs';
import { runNpm } from './npm.mjs';

const TEMPLATE = fileURLToPath(new URL('../template', import.meta.url));

/**
 * Makes a project in a folder that is new, or empty but for Git's. All is made apart and moved at the end: where something
 * fails, or `signal` stops it, nothing is left behind.
 *
 * @throws Error whose message says what to do
 */
export async function createProject(folder, { isMinimal, say, signal }) {
  const name = basename(folder);
  refuseName(name);
  refuseFolder(folder);
  noteWorkspaces(dirname(folder), say);
  const isThere = existsSync(folder);
  const made = mkdirSync(dirname(folder), { recursive: true });
  // In a folder that is there: it may be the current one, and another file system than what is beside it.
  const draft = mkdtempSync(isThere ? join(folder, '.create-') : join(dirname(folder), `.${name}-`));
  const npm = (...args) => runNpm(draft, args, signal);
  try {
    say(`Copying the application to ${folder} …`);
    cpSync(TEMPLATE, draft, { recursive: true });
    // npm packs no files of these names as they are.
    for (const hidden of ['gitignore', 'dockerignore'])
      renameSync(join(draft, hidden), join(draft, `.${hidden}`));
    if (isMinimal) leaveOutExample(draft);
    nameProject(draft, name);
    // Who clones the project, and what builds its image, finds the packages of the base in the same place.
    const found = await npm('config', 'get', '@plinth:registry', 'registry');
    const registry = /=(?!undefined$|https:\/\/registry\.npmjs\.org\/$)(.+)/m.exec(found)?.[1];
    if (registry) writeFileSync(join(draft, '.npmrc'), `@plinth:registry=${registry}\n`);
    say('Installing its packages by npm ci, which may take a minute …');
    await npm('ci', '--include=dev', '--prefer-offline', '--no-audit', '--no-fund');
    if (isMinimal) {
      say('Writing its OpenAPI surface …');
      await npm('run', '--silent', 'openapi');
    }
    // As open as a folder that mkdir makes.
    chmodSync(draft, 0o777 & ~process.umask());
    if (!isThere) return renameSync(draft, folder);
    for (const entry of readdirSync(draft)) renameSync(join(draft, entry), join(folder, entry));
    return rmdirSync(draft);
  } catch (error) {
    const left = isThere ? contentsOf(folder).map((entry) => join(folder, entry)) : [made ?? draft];
    // What npm has started may still write.
    for (const path of left) rmSync(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    throw new Error(`${error.message}\nNothing was made.`, { cause: error });
  }
}

/** What is in a folder beside Git's. */
const contentsOf = (folder) => readdirSync(folder).filter((entry) => entry !== '.git');

/** npm installs what a workspace needs into the folder above. */
function noteWorkspaces(folder, say) {
  const file = join(folder, 'package.json');
  if (existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).workspaces)
    say(`${file} has workspaces: leave the project out of them, for it has a lock file of its own.`);
  else if (dirname(folder) !== folder) noteWorkspaces(dirname(folder), say);
}

/** A package's name, as npm takes it, which no package that the project needs has. */
function refuseName(name) {
  if (!/^[a-z0-9][a-z0-9._-]{0,213}$/.test(name))
    throw new Error(
      `${name} is not a valid name of an npm package: use up to 214 of a-z, 0-9, "-", "." and "_", as in my-api.`,
    );
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(TEMPLATE, 'package.json'), 'utf8'));
  if (name === 'node_modules' || isBuiltin(name) || name in { ...dependencies, ...devDependencies })
    throw new Error(`${name} is the name of something that the project imports: choose another one.`);
}

function refuseFolder(folder) {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found && !found.isDirectory()) throw new Error(`${folder} is a file: choose another name.`);
  if (found && contentsOf(folder).length > 0)
    throw new Error(`${folder} is not empty: choose another name, or an empty folder.`);
}

/** `my-api` is the product "My Api": docs/configuration.md#the-products-name says what follows from it. */
function nameProject(folder, name) {
  const productName = name
    .split(/[._-]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  write(join(folder, 'package.json'), { ...manifest, name, productName });
  const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
  lock.name = lock.packages[''].name = name;
  write(join(folder, 'package-lock.json'), lock);
  const readme = join(folder, 'README.md');
  writeFileSync(readme, readFileSync(readme, 'utf8').replaceAll('{{product}}', productName));
}

const write = (file, value) => writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
