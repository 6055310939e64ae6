import { loadConfigWithoutKeys } from '../config/read-config.js';
import { PRODUCT } from '../config/product.js';
import type { Schema } from '../database/schema.js';
import { LoadApplication, readConfigOrExit, runProgram } from './program.js';

const USAGE = `npm run migrate             runs every migration that is missing, in turn with instances that start
npm run migrate -- --check  names the migrations that are missing and changes nothing; exit code 1 where there are any
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
  down: async (schema) => {
    await schema.revert();
    return 0;
  },
};

/** Does what the command line says of the schema: see `npm run migrate -- --help`. */
export async function runMigrations(load: LoadApplication): Promise<void> {
  const words = process.argv.slice(2).join(' ');
  const command = COMMANDS[words];
  if (!command) {
    const isAsked = words === '--help';
    (isAsked ? process.stdout : process.stderr).write(`${USAGE}\n`);
    process.exitCode = isAsked ? 0 : 2;
    return;
  }
  const { prepareApp } = await import('./service.js');
  await runProgram(
    readConfigOrExit(loadConfigWithoutKeys),
    async (program) => {
      let exitCode = 1;
      await prepareApp(program, load, async (schema) => {
        exitCode = await command(schema);
      });
      await program.shutdown.run(exitCode);
    },
    { logLevel: 'warn' },
  );
}
