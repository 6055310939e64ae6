import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { createProject } from './project.mjs';

const USAGE = `npm create plinth <folder> [-- --minimal]

Makes a project on @plinth/core in a new folder, and installs its packages. The folder's name is that of the project.

  --minimal   leaves out the modules of the example: products, orders and reviews
  --help      shows this
  --version   shows which release the project is made of`;

/** Runs the command line. @returns the exit code */
export async function main(args) {
  try {
    const { values, positionals } = read(args);
    if (values.help) return say(USAGE);
    if (values.version) return say(ownVersion());
    if (positionals.length !== 1) throw new Error(`Name one folder for the project.\n\n${USAGE}`);
    const folder = resolve(positionals[0]);
    await createProject(folder, { isMinimal: values.minimal ?? false, say });
    return say(`\nThe project is ready. Now:\n\n  cd ${relative('.', folder) || '.'}\n  npm start\n`);
  } catch (error) {
    console.error(error.message);
    return 1;
  }
}

function say(line) {
  console.log(line);
  return 0;
}

function read(args) {
  const flag = { type: 'boolean' };
  const options = { minimal: flag, help: { ...flag, short: 'h' }, version: flag };
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    // Node.js explains how to pass what begins with a dash, which no folder should.
    throw new Error(`${error.message.split('. ')[0]}.\n\n${USAGE}`, { cause: error });
  }
}

const ownVersion = () =>
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;
