import { readFileSync } from 'node:fs';

import { CONTRADICTIONS } from './contradictions.js';
import { isSetting, Setting, settingsOf, SettingTree } from './define-config.js';
import { Config, configOf, NOT_SERVED, Settings, SETTINGS } from './config.js';

/** Environment variables by name, as text. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The environment asks for something that cannot be. `faults` has one line for each, naming the variable. */
export class ConfigError extends Error {
  constructor(readonly faults: readonly string[]) {
    super(faults.join('\n'));
    this.name = 'ConfigError';
  }
}

/**
 * Reads the configuration from an environment. Pure but for the files that `…_FILE` variables name.
 *
 * @param env variables as text; a blank one counts as unset
 * @param developmentSecret gives the JWT secret where none is set and none is required
 * @throws ConfigError with every fault at once
 */
export function readConfig(env: Environment, developmentSecret: (dataDir: string) => string): Config {
  const reading = new Reading(env);
  const settings = reading.read(SETTINGS) as Settings;
  for (const name of NOT_SERVED)
    if (valueOf(env, name) !== undefined)
      reading.faults.push(`${name}: set, but this release does not serve it`);
  for (const [names, isContradicted, problem] of CONTRADICTIONS) {
    if (names.some((name) => reading.faulty.has(name)) || !isContradicted(settings)) continue;
    reading.faults.push(`${names[0] ?? ''}: ${problem}`);
  }
  if (reading.faults.length > 0) throw new ConfigError(reading.faults);
  const { jwt, dataDir } = settings;
  if (jwt.secrets.length + jwt.privateKeyFiles.length > 0) return configOf(settings);
  return configOf({ ...settings, jwt: { ...jwt, secrets: [developmentSecret(dataDir)] } });
}

/** The value of a variable; `undefined` where it is unset or blank. */
function valueOf(env: Environment, name: string): string | undefined {
  const value = env[name];
  return value === undefined || value.trim() === '' ? undefined : value;
}

/** One pass over an environment. */
class Reading {
  readonly faults: string[] = [];
  readonly faulty = new Set<string>();

  constructor(private readonly env: Environment) {}

  read(tree: SettingTree): Record<string, unknown> {
    const entries = Object.entries(tree).map(([property, node]) => [
      property,
      isSetting(node) ? this.readOne(node) : this.read(node),
    ]);
    return Object.fromEntries(entries) as Record<string, unknown>;
  }

  private readOne(setting: Setting): unknown {
    const { name, schema, isSecret } = setting;
    const text = isSecret ? this.secretOf(name) : valueOf(this.env, name);
    const { success, data, error } = schema.safeParse(text);
    if (success) return data;
    this.refuse(
      name,
      `got ${isSecret ? 'a value' : JSON.stringify(text)}, takes ${error.issues[0]?.message}`,
    );
    return undefined;
  }

  /** A secret, from the file that its twin names where it has none itself. */
  private secretOf(name: string): string | undefined {
    const value = valueOf(this.env, name);
    const twin = `${name}_FILE`;
    const path = valueOf(this.env, twin);
    if (path === undefined) return value;
    if (value !== undefined) {
      this.refuse(twin, `set beside ${name}, takes one of the two`, name);
      return undefined;
    }
    try {
      // One line break at the end of a file does not belong to the secret.
      return readFileSync(path, 'utf8').replace(/\r?\n$/, '');
    } catch (error) {
      const reason = (error as Error).message;
      this.refuse(twin, `got ${JSON.stringify(path)}, takes a file that can be read (${reason})`, name);
      return undefined;
    }
  }

  private refuse(name: string, problem: string, faulty = name): void {
    this.faults.push(`${name}: ${problem}`);
    this.faulty.add(faulty);
  }
}

/** The names of the variables that the service reads, without the twins of secrets. */
export const VARIABLE_NAMES: readonly string[] = settingsOf(SETTINGS).map(({ name }) => name);
