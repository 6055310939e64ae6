import 'reflect-metadata';

import { loadConfig } from '../../src/config/load-config.js';
import { UsageError } from '../usage-error.js';
import { openSeedDatabase } from './seed-database.js';
import { readSeedOptions, USAGE } from './seed-options.js';
import { SeedRepository } from './seed.repository.js';
import { seed } from './seeder.js';

/** `npm run seed`: fills the database with made-up rows; see `USAGE`. */
async function main(): Promise<void> {
  const options = readSeedOptions(process.argv.slice(2));
  if (!options) {
    process.stdout.write(`${USAGE}\n`);
    return;
  }
  const { database, close } = await openSeedDatabase(loadConfig(), say);
  try {
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
