import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { z } from 'zod';

import { Config, Settings, SETTINGS, ValuesOf, versionSettings } from './config.js';
import { findContradictions } from './contradictions.js';
import { Setting } from './setting-schemas.js';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The configuration cannot be used. `faults` has one line per fault, which begins with the name of the variable. The
 * program prints the lines and exits with 1.
 * @example throw new ConfigError(['SHOP_CURRENCY: is required with SHOP_PRICES'])
 */
export class ConfigError extends Error {
  constructor(readonly faults: readonly string[]) {
    super(faults.join('\n'));
    this.name = 'ConfigError';
  }
}

/**
 * Reads the configuration. Outside production it generates a JWT secret if none is set, and keeps it in `DATA_DIR`.
 * @param env replaces the variables of this process and of `.env`
 * @throws ConfigError
 */
export function loadConfig(env?: Environment): Config {
  if (!env) loadEnvFile();
  return readConfig(env ?? process.env, developmentSecret);
}

/** Reads the configuration of a program that needs no keys and sends no mails, such as a migration. @throws ConfigError */
export function loadConfigWithoutKeys(): Config {
  loadEnvFile();
  const keys = {
    JWT_SECRET: randomJwtSecret(),
    JWT_SECRET_FILE: undefined,
    JWT_PRIVATE_KEY_FILES: undefined,
  };
  return readConfig({ ...process.env, ...keys, MAIL: 'off' }, randomJwtSecret);
}

/** Reads `.env` if it exists, outside production. Variables of the environment win. */
function loadEnvFile(): void {
  if (process.env['NODE_ENV'] !== 'production' && existsSync('.env')) process.loadEnvFile();
}

const randomJwtSecret = (): string => randomBytes(48).toString('base64url');

function developmentSecret(dataDir: string): string {
  const file = join(dataDir, 'jwt-secret');
  mkdirSync(dataDir, { recursive: true });
  try {
    // 'wx' fails if the file exists, so two processes that start at once agree on one secret.
    writeFileSync(file, randomJwtSecret(), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFileSync(file, 'utf8');
}

/** Returns the settings of each version of the API that a variable names. */
function settingsByVersion(env: Environment): Record<string, ReturnType<typeof versionSettings>> {
  const numbers = Object.keys(env)
    .filter((name) => readVariable(env, name) !== undefined)
    .flatMap((name) => /^API_V([1-9]\d*)_(?:DEPRECATED|SUNSET)_AT$/.exec(name)?.[1] ?? []);
  return Object.fromEntries([...new Set(numbers)].map((version) => [version, versionSettings(version)]));
}

/** @throws ConfigError with all faulty values, or, if every value is valid by itself, with all contradictions */
export function readConfig(env: Environment, developmentSecret: (dataDir: string) => string): Config {
  const settings: Settings = readSettings({ ...SETTINGS, versions: settingsByVersion(env) }, env);
  const contradictions = findContradictions(settings);
  if (contradictions.length > 0) throw new ConfigError(contradictions);
  const { jwt, dataDir } = settings;
  const { certFile, keyFile } = settings.tls;
  const hasKeys = jwt.secrets.length + jwt.privateKeyFiles.length > 0;
  return {
    ...settings,
    jwt: hasKeys ? jwt : { ...jwt, secrets: [developmentSecret(dataDir)] },
    tls: certFile !== undefined && keyFile !== undefined ? { certFile, keyFile } : undefined,
  };
}

/**
 * Reads environment variables that an application adds, for `ConfigModule.forFeature()` of @nestjs/config. The variables of
 * the base are in `Config`.
 * @throws ConfigError with a line for each faulty variable
 * @example registerAs('shop', () => readSettings({ currency: env('SHOP_CURRENCY', z.enum(['EUR', 'USD'])) }));
 */
export function readSettings<const Tree extends SettingTree>(
  tree: Tree,
  env: Environment = process.env,
): ValuesOf<Tree> {
  const faults: string[] = [];
  const settings = readTree(tree, env, faults);
  if (faults.length > 0) throw new ConfigError(faults);
  return settings as ValuesOf<Tree>;
}

const readVariable = (env: Environment, name: string): string | undefined =>
  env[name]?.trim() ? env[name] : undefined;

interface SettingTree {
  readonly [property: string]: Setting | SettingTree;
}

const isSetting = (node: Setting | SettingTree): node is Setting => node['schema'] instanceof z.ZodType;

function readTree(tree: SettingTree, env: Environment, faults: string[]): Record<string, unknown> {
  const entries = Object.entries(tree).map(([property, node]) => [
    property,
    isSetting(node) ? readSetting(node, env, faults) : readTree(node, env, faults),
  ]);
  return Object.fromEntries(entries) as Record<string, unknown>;
}

function readSetting({ name, schema, isSecret }: Setting, env: Environment, faults: string[]): unknown {
  const count = faults.length;
  const text = isSecret ? readSecret(name, env, faults) : readVariable(env, name);
  if (faults.length > count) return undefined;
  const { data, error } = schema.safeParse(text);
  if (error) faults.push(`${name}: must be ${error.issues[0]?.message} (${describeText(text, isSecret)})`);
  return data;
}

function describeText(text: string | undefined, isSecret: boolean): string {
  if (text === undefined) return 'it is not set';
  return `got ${isSecret ? 'a secret value' : JSON.stringify(text)}`;
}

function readSecret(name: string, env: Environment, faults: string[]): string | undefined {
  const value = readVariable(env, name);
  const twin = `${name}_FILE`;
  const path = readVariable(env, twin);
  if (path === undefined) return value;
  try {
    if (value !== undefined) faults.push(`${twin}: cannot be combined with ${name}`);
    // Ignores one line break at the end of the file.
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    const { message } = error as Error;
    faults.push(`${twin}: must be a file that can be read (got ${JSON.stringify(path)}: ${message})`);
    return undefined;
  }
}

/** All settings of a tree, in their order. */
export const listSettings = (tree: SettingTree = SETTINGS): Setting[] =>
  Object.values(tree).flatMap((node) => (isSetting(node) ? node : listSettings(node)));
