import 'reflect-metadata';

import { loadConfig } from '../../src/config/load-config.js';
import { Passwords } from '../../src/users/passwords.js';
import { UsageError } from '../usage-error.js';
import { announceDemo, demoPassword } from './demo/demo-password.js';
import { seedDemo } from './demo/demo.js';
import { openSeedDatabase } from './seed-database.js';
import { readSeedOptions, USAGE } from './seed-options.js';
import { SeedRepository } from './seed.repository.js';
import { seed } from './seeder.js';

/** `npm run seed`: fills the database with made-up rows or the demo data; see `USAGE`. */
async function main(): Promise<void> {
  const options = readSeedOptions(process.argv.slice(2));
  if (!options) {
    process.stdout.write(`${USAGE}\n`);
    return;
  }
  const config = loadConfig();
  const password = options.demo ? demoPassword(options.passwordFile) : undefined;
  const { database, close } = await openSeedDatabase(config, say);
  try {
    if (password) {
      await seedDemo(database, await new Passwords().hash(password.text));
      announceDemo(password, process.stderr, config.dataDir);
    }
    await seed(options, new SeedRepository(database), say);
  } finally {
    await close();
  }
}

const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

// An embedded server that was started here ends with an orderly exit only.
process.on('SIGINT', () => process.exit(130));
process.on('SIGTERM', () => process.exit(143));

try {
  await main();
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  if (error instanceof UsageError) say(`\n${USAGE}`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
