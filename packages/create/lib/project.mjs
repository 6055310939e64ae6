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
 * Makes a project in a folder that is new or empty. All is made beside it and moved at the end: where something fails, or
 * the process is stopped, nothing is left behind.
 *
 * @throws Error whose message says what to do
 */
export async function createProject(folder, { isMinimal, say }) {
  const name = basename(folder);
  refuseName(name);
  refuseFolder(folder);
  const made = mkdirSync(dirname(folder), { recursive: true });
  const draft = mkdtempSync(join(dirname(folder), `.${name}-`));
  const undo = () => rmSync(made ?? draft, { recursive: true, force: true });
  const stop = () => {
    undo();
    process.exit(130);
  };
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, stop);
  try {
    say(`Copying the application to ${folder} …`);
    cpSync(TEMPLATE, draft, { recursive: true });
    // npm packs no files of these names as they are.
    for (const hidden of ['gitignore', 'dockerignore'])
      renameSync(join(draft, hidden), join(draft, `.${hidden}`));
    if (isMinimal) leaveOutExample(draft);
    nameProject(draft, name);
    say('Installing its packages by npm ci, which may take a minute …');
    await runNpm(draft, ['ci', '--include=dev', '--prefer-offline', '--no-audit', '--no-fund']);
    if (isMinimal) {
      say('Writing its OpenAPI surface …');
      await runNpm(draft, ['run', '--silent', 'openapi']);
    }
    // As open as a folder that mkdir makes.
    chmodSync(draft, 0o777 & ~process.umask());
    if (existsSync(folder)) rmdirSync(folder);
    renameSync(draft, folder);
  } catch (error) {
    undo();
    throw new Error(`${error.message}\nNothing was made.`, { cause: error });
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, stop);
  }
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
  if (found && readdirSync(folder).length > 0)
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
