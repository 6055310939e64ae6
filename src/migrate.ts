import 'reflect-metadata';

import { PRODUCT } from './config/product.js';
import type { PlannedMigration } from './database/migrate.js';
import type { Schema } from './database/schema.js';

const USAGE = `npm run migrate             runs every migration that is missing, in turn with instances that start
npm run migrate -- --check  names the migrations that are missing and changes nothing; exit code 1 where there are any
npm run migrate -- --plan   prints their SQL and changes nothing
npm run migrate -- down     takes the last migration back

The database is that of DATABASE_URL, whose role needs to own the schema, else the embedded one of ${PRODUCT.name}.`;

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const counted = ({ length }: readonly string[]): string =>
  `${length} ${length === 1 ? 'migration' : 'migrations'}`;

/** Each way to call the program, with the exit code that it ends with. */
const COMMANDS: Readonly<Record<string, (schema: Schema) => Promise<number>>> = {
  '': async (schema) => {
    const ran = await schema.migrate();
    for (const name of ran) say(name);
    say(ran.length === 0 ? 'Every migration is in.' : `Ran ${counted(ran)}.`);
    return 0;
  },
  '--check': async (schema) => {
    const missing = await schema.missing();
    for (const name of missing) say(name);
    say(missing.length === 0 ? 'Every migration is in.' : `Missing: ${counted(missing)}.`);
    return missing.length === 0 ? 0 : 1;
  },
  '--plan': async (schema) => {
    const planned = await schema.plan();
    say(planned.length === 0 ? '-- Every migration is in.' : planned.map(sqlOf).join('\n\n'));
    return 0;
  },
  down: async (schema) => {
    const name = await schema.revert();
    say(name === undefined ? 'No migration has run.' : `Took ${name} back.`);
    return 0;
  },
};

/** A migration as a script for psql. */
function sqlOf({ name, isInTransaction, statements }: PlannedMigration): string {
  const lines = statements.map(({ text, values }) => {
    const parameters = values.length === 0 ? '' : ` -- with ${JSON.stringify(values)}`;
    return `${text.trim()};${parameters}`;
  });
  return [`-- ${name}`, ...(isInTransaction ? ['begin;', ...lines, 'commit;'] : lines)].join('\n');
}

const words = process.argv.slice(2);
const command = COMMANDS[words.join(' ')];
if (command) {
  const { runOnSchema } = await import('./service.js');
  await runOnSchema(command);
} else {
  const isAsked = words.join(' ') === '--help';
  (isAsked ? process.stdout : process.stderr).write(`${USAGE}\n`);
  process.exitCode = isAsked ? 0 : 2;
}
