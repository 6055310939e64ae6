import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { readConfig } from './read-config.js';
import { Config } from './config.js';

/**
 * The configuration of this process: its environment and, outside production, the file `.env`.
 * A JWT secret that is not set in development is generated once and kept in the data directory.
 *
 * @throws ConfigError with every fault at once
 */
export function loadConfig(): Config {
  loadEnvFile();
  return readConfig(process.env, developmentSecret);
}

/**
 * The configuration of a program that signs and verifies nothing, such as a migration job: production asks it for no
 * keys, and what it is given of them is not used.
 *
 * @throws ConfigError with every fault at once
 */
export function loadConfigWithoutKeys(): Config {
  loadEnvFile();
  const keys = { JWT_SECRET: newSecret(), JWT_SECRET_FILE: undefined, JWT_PRIVATE_KEY_FILES: undefined };
  return readConfig({ ...process.env, ...keys }, newSecret);
}

/** Reads `.env` where it is there, outside production; the environment goes before it. */
function loadEnvFile(): void {
  if (process.env['NODE_ENV'] !== 'production' && existsSync('.env')) process.loadEnvFile();
}

const newSecret = (): string => randomBytes(48).toString('base64url');

function developmentSecret(dataDir: string): string {
  const file = join(dataDir, 'jwt-secret');
  mkdirSync(dataDir, { recursive: true });
  try {
    // 'wx' fails where the file is there already, so two starts at once agree on one secret.
    writeFileSync(file, newSecret(), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFileSync(file, 'utf8');
}
