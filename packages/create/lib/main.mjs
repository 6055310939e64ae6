import { relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { createProject } from './project.mjs';

const USAGE = `npm create plinth <folder> [-- <options>]

Creates a project on @plinth/core and installs its packages. The folder must be new or empty; "." is the current folder.
The project gets the name of the folder.

  --minimal        leaves out the example modules, products, orders and reviews, and version 2 of the API
  --from <folder>  copies the @plinth packages from the folder of a release into the project, instead of installing them
                   from a registry
  --help           shows this text`;

const OPTIONS = {
  minimal: { type: 'boolean' },
  from: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
};

/** Runs the command line. @returns the exit code */
export async function main(args) {
  try {
    const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true });
    if (values.help) return say(USAGE);
    if (positionals.length !== 1) throw new Error(`Name one folder for the project.\n\n${USAGE}`);
    const folder = resolve(positionals[0]);
    const place = relative('.', folder);
    const isMinimal = values.minimal ?? npmOption('minimal') === 'true';
    const from = values.from ?? npmOption('from');
    await createProject(folder, { isMinimal, from, say, signal: stopped() });
    return say(`\nThe project is ready. Now:\n${place && `\n  cd ${place}`}\n  npm start\n`);
  } catch (error) {
    console.error(error.message);
    return 1;
  }
}

/** Returns a signal that is aborted by SIGINT, SIGTERM and SIGHUP. The process then cleans up before it exits. */
function stopped() {
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(name, () => stop.abort(new Error(`Stopped by ${name}.`)));
  return stop.signal;
}

function say(line) {
  console.log(line);
  return 0;
}

/**
 * Returns the value of an option in `npm create plinth my-api --minimal`. Without ` -- `, npm turns options into
 * environment variables.
 */
const npmOption = (name) => process.env[`npm_config_${name}`];
