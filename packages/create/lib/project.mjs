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

import { readJson, writeJson } from './json.mjs';
import { leaveOutExample } from './minimal.mjs';
import { runNpm } from './npm.mjs';
import { addPackages } from './vendor.mjs';

const TEMPLATE = fileURLToPath(new URL('../template', import.meta.url));

/**
 * The files that get a dot before their name. In the package they have none, because npm would not pack some of them, and
 * oxlint and oxfmt would apply the others in the repository.
 */
const HIDDEN = ['gitignore', 'dockerignore', 'oxlintrc.json', 'oxfmtrc.json'];

/**
 * Creates a project in a folder that is new, or empty except for `.git`. Builds the project in a temporary folder and
 * moves it at the end. If a step fails or `signal` is aborted, nothing is left behind.
 *
 * @param options.from the folder of a release, which the `@plinth` packages come from instead of a registry
 * @throws Error whose message says what to do
 */
export async function createProject(folder, { isMinimal, from, say, signal }) {
  const name = basename(folder);
  refuseName(name);
  refuseFolder(folder);
  noteWorkspaces(dirname(folder), say);
  const isThere = existsSync(folder);
  const made = mkdirSync(dirname(folder), { recursive: true });
  // If the folder exists, creates the draft inside it: it may be the current folder, or on another file system than its
  // parent.
  const draft = mkdtempSync(isThere ? join(folder, '.create-') : join(dirname(folder), `.${name}-`));
  const npm = (...args) => runNpm(draft, args, signal);
  try {
    say(`Copying the application to ${folder} …`);
    cpSync(TEMPLATE, draft, { recursive: true });
    for (const hidden of HIDDEN) renameSync(join(draft, hidden), join(draft, `.${hidden}`));
    if (isMinimal) leaveOutExample(draft);
    nameProject(draft, name);
    if (from !== undefined) addPackages(draft, from);
    else await addRegistry(draft, npm);
    say('Installing its packages with npm ci, which may take a minute …');
    await npm('ci', '--include=dev', '--prefer-offline', '--no-audit', '--no-fund');
    if (isMinimal) {
      say('Writing docs/api-surface.txt …');
      await npm('run', '--silent', 'openapi');
    }
    // The steps above leave some files with longer or shorter lines than oxfmt would.
    await npm('run', '--silent', 'format');
    // Gives the draft the permissions of a folder that mkdir creates.
    chmodSync(draft, 0o777 & ~process.umask());
    if (!isThere) return renameSync(draft, folder);
    for (const entry of readdirSync(draft)) renameSync(join(draft, entry), join(folder, entry));
    return rmdirSync(draft);
  } catch (error) {
    const left = isThere ? contentsOf(folder).map((entry) => join(folder, entry)) : [made ?? draft];
    // Retries, because child processes of npm may still be writing.
    for (const path of left) rmSync(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    throw new Error(`${error.message}\nNothing was created.`, { cause: error });
  }
}

/** Writes the registry of `@plinth/core` to .npmrc, so that clones and image builds use it too. */
async function addRegistry(project, npm) {
  const found = await npm('config', 'get', '@plinth:registry', 'registry');
  const registry = /=(?!undefined$|https:\/\/registry\.npmjs\.org\/$)(.+)/m.exec(found)?.[1];
  if (registry) writeFileSync(join(project, '.npmrc'), `@plinth:registry=${registry}\n`);
}

/** Returns the entries of a folder, without `.git`. */
const contentsOf = (folder) => readdirSync(folder).filter((entry) => entry !== '.git');

/** Warns if a parent folder has workspaces, because npm would install the packages of a workspace into the parent. */
function noteWorkspaces(folder, say) {
  const file = join(folder, 'package.json');
  if (existsSync(file) && readJson(file).workspaces)
    say(`${file} has workspaces: do not add the project to them, because it has its own lock file.`);
  else if (dirname(folder) !== folder) noteWorkspaces(dirname(folder), say);
}

/** @throws Error for a name that npm does not allow, or that a dependency of the project has */
function refuseName(name) {
  if (!/^[a-z0-9][a-z0-9._-]{0,213}$/.test(name))
    throw new Error(
      `The name of the folder must be a valid name of an npm package, such as my-api: up to 214 of a-z, 0-9, "-", "." and "_" (got ${name}).`,
    );
  const { dependencies, devDependencies } = readJson(join(TEMPLATE, 'package.json'));
  if (name === 'node_modules' || isBuiltin(name) || name in { ...dependencies, ...devDependencies })
    throw new Error(`The project imports a package named ${name}: choose another name.`);
}

function refuseFolder(folder) {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found && !found.isDirectory()) throw new Error(`${folder} is a file: choose another name.`);
  if (found && contentsOf(folder).length > 0)
    throw new Error(`${folder} is not empty: choose another name, or an empty folder.`);
}

/** Names the product "My Api" for the folder `my-api`. See docs/configuration.md#the-products-name for its effects. */
function nameProject(folder, name) {
  const productName = name
    .split(/[._-]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
  const [manifestFile, lockFile] = ['package.json', 'package-lock.json'].map((file) => join(folder, file));
  writeJson(manifestFile, { ...readJson(manifestFile), name, productName });
  const lock = readJson(lockFile);
  lock.name = lock.packages[''].name = name;
  writeJson(lockFile, lock);
  const replace = (path, ...args) => {
    const file = join(folder, path);
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(...args));
  };
  replace('README.md', '{{product}}', productName);
  replace('deploy/kubernetes/deployment.yaml', /\bservice(?=[.@]example)/g, name);
}
