import { readFileSync } from 'node:fs';

import { Environment, valueOf } from './environment.js';
import { Variable, VARIABLES } from './variables.js';

/** The variables that hold a secret; each has a twin, named with `_FILE`, that names a file to read it from. */
const SECRETS = Object.entries<Variable<unknown>>(VARIABLES)
  .filter(([, { isSecret }]) => isSecret)
  .map(([name]) => name);

const twinOf = (name: string): string => `${name}_FILE`;

/** The variables that name a file with a secret. */
export const SECRET_TWINS: readonly string[] = SECRETS.map(twinOf);

/**
 * Returns the environment with the secrets that `…_FILE` variables point to. One line break at the end of a file does
 * not belong to the secret.
 *
 * @param faults gets a line for a file that cannot be read, and for a secret that is given in both ways
 */
export function withSecretFiles(env: Environment, faults: string[]): Environment {
  const secrets: Record<string, string> = {};
  for (const name of SECRETS) {
    const twin = twinOf(name);
    const path = valueOf(env, twin);
    if (path === undefined) continue;
    if (valueOf(env, name) !== undefined) {
      faults.push(`${twin}: set beside ${name}, takes one of the two`);
      continue;
    }
    try {
      secrets[name] = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
    } catch (error) {
      faults.push(
        `${twin}: got ${JSON.stringify(path)}, takes a file that can be read (${(error as Error).message})`,
      );
    }
  }
  return { ...env, ...secrets };
}
