import { relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { createProject } from './project.mjs';

const USAGE = `npm create plinth <folder> [-- --minimal]

Makes a project on @plinth/core in a new or empty folder, such as ".", and installs its packages. The folder's name is
that of the project.

  --minimal   leaves out the modules of the example: products, orders and reviews
  --help      shows this`;

const OPTIONS = { minimal: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } };

/** Runs the command line. @returns the exit code */
export async function main(args) {
  try {
    const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true });
    if (values.help) return say(USAGE);
    if (positionals.length !== 1) throw new Error(`Name one folder for the project.\n\n${USAGE}`);
    const folder = resolve(positionals[0]);
    const place = relative('.', folder);
    const isMinimal = values.minimal ?? isSetting('minimal');
    await createProject(folder, { isMinimal, say, signal: stopped() });
    return say(`\nThe project is ready. Now:\n${place && `\n  cd ${place}`}\n  npm start\n`);
  } catch (error) {
    console.error(error.message);
    return 1;
  }
}

/** What a signal to this process aborts: it ends when all that was made is removed. */
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

/** `npm create plinth my-api --minimal`: npm takes what stands before `--` for settings of its own. */
const isSetting = (name) => process.env[`npm_config_${name}`] === 'true';
