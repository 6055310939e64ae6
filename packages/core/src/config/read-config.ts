import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { z } from 'zod';

import { Config, findContradictions, Settings, SETTINGS, ValuesOf } from './config.js';
import { Setting } from './setting-schemas.js';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The environment asks for something that cannot be. `faults` has one line for each, naming the variable.
 * @example throw new ConfigError(['SHOP_CURRENCY: is required with SHOP_PRICES'])
 */
export class ConfigError extends Error {
  constructor(readonly faults: readonly string[]) {
    super(faults.join('\n'));
    this.name = 'ConfigError';
  }
}

/** The configuration, of this process unless other variables are given. Development keeps a JWT secret of its own. */
export function loadConfig(env?: Environment): Config {
  if (!env) loadEnvFile();
  return readConfig(env ?? process.env, developmentSecret);
}

/** The configuration of a program that signs and mails nothing, such as a migration job: it is asked for no keys. */
export function loadConfigWithoutKeys(): Config {
  loadEnvFile();
  const keys = {
    JWT_SECRET: randomJwtSecret(),
    JWT_SECRET_FILE: undefined,
    JWT_PRIVATE_KEY_FILES: undefined,
  };
  return readConfig({ ...process.env, ...keys, MAIL: 'off' }, randomJwtSecret);
}

/** Reads `.env` where it is there, outside production; the environment goes before it. */
function loadEnvFile(): void {
  if (process.env['NODE_ENV'] !== 'production' && existsSync('.env')) process.loadEnvFile();
}

const randomJwtSecret = (): string => randomBytes(48).toString('base64url');

function developmentSecret(dataDir: string): string {
  const file = join(dataDir, 'jwt-secret');
  mkdirSync(dataDir, { recursive: true });
  try {
    // 'wx' fails where the file is there already, so two starts at once agree on one secret.
    writeFileSync(file, randomJwtSecret(), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFileSync(file, 'utf8');
}

/** @throws ConfigError with every faulty value at once; where there is none, with every contradiction */
export function readConfig(env: Environment, developmentSecret: (dataDir: string) => string): Config {
  const settings: Settings = readSettings(SETTINGS, env);
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
 * The variables of an application's own, for `ConfigModule.forFeature()` of @nestjs/config.
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
  if (error)
    faults.push(
      `${name}: got ${isSecret ? 'a value' : JSON.stringify(text)}, takes ${error.issues[0]?.message}`,
    );
  return data;
}

function readSecret(name: string, env: Environment, faults: string[]): string | undefined {
  const value = readVariable(env, name);
  const twin = `${name}_FILE`;
  const path = readVariable(env, twin);
  if (path === undefined) return value;
  try {
    if (value !== undefined) faults.push(`${twin}: set beside ${name}, takes one of the two`);
    // One line break at the end of a file does not belong to the secret.
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    const { message } = error as Error;
    faults.push(`${twin}: got ${JSON.stringify(path)}, takes a file that can be read (${message})`);
    return undefined;
  }
}

export const listSettings = (tree: SettingTree = SETTINGS): Setting[] =>
  Object.values(tree).flatMap((node) => (isSetting(node) ? node : listSettings(node)));
