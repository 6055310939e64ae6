import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Command, say } from './command.js';

const USAGE = `plinth <command> [options]

Works on the project in the current folder.

  plinth generate resource <plural> <field:type>…   writes a module with its migration and tests
  plinth migration:generate <name>                  writes a migration from the entities and lists
  plinth openapi                                    writes the OpenAPI document, and what clients depend on
  plinth client                                     writes the typed client of the API
  plinth routes [part of a path]                    prints the routes, and who may call them
  plinth explain <list>                             prints what the queries of a list cost PostgreSQL
  plinth seed <options>                             adds rows to the database

  plinth <command> --help   explains a command
  plinth --version`;

const COMMANDS: Readonly<Record<string, () => Promise<{ readonly command: Command }>>> = {
  client: () => import('./client.js'),
  explain: () => import('./explain.js'),
  generate: () => import('./generate.js'),
  'migration:generate': () => import('./migration-generate.js'),
  openapi: () => import('./openapi.js'),
  routes: () => import('./routes.js'),
  seed: () => import('./seed.js'),
};

async function main(name: string, args: readonly string[]): Promise<void> {
  if (name === '--help' || name === '-h') return void say(USAGE);
  if (name === '--version') return void say(ownVersion());
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!load) throw new Error(`Unknown command ${name}: plinth --help lists the commands.`);
  const { command } = await load();
  // Checks for `--help` first, so that it works even if other arguments are wrong.
  if (args.includes('--help') || args.includes('-h')) return void say(await command.usage(process.cwd()));
  await command.run(process.cwd(), args);
}

function ownVersion(): string {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

// The base reads the name of the product from the nearest package.json above the program. This path selects the
// package.json of the project instead of the one of @plinth/dev.
process.argv[1] = join(process.cwd(), 'plinth');
// Exit normally, because `exit` handlers stop what a command has started, such as an embedded database.
process.on('SIGINT', () => process.exit(130));
process.on('SIGTERM', () => process.exit(143));

const [name = '--help', ...args] = process.argv.slice(2);
try {
  await main(name, args);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
