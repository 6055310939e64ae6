import { Environment, valueOf } from './environment.js';

/**
 * Variables that the product defines and this version does not serve, each with the one value that changes nothing.
 * Anything else stops the start: a setting that is ignored in silence is worse than none.
 */
export const UNSERVED_VARIABLES: Readonly<Record<string, string | undefined>> = {
  DATABASE_REPLICA_URLS: undefined,
};

/** One line for each variable that asks for what this version does not serve. */
export function unservedFaults(env: Environment): string[] {
  return Object.entries(UNSERVED_VARIABLES).flatMap(([name, only]) => {
    const value = valueOf(env, name);
    if (value === undefined || value === only) return [];
    const takes =
      only === undefined ? 'is not served by this version: leave it unset' : `takes ${only} in this version`;
    return [`${name}: got ${JSON.stringify(value)}, ${takes}`];
  });
}
