/** Environment variables by name, as text. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The value of a variable; `undefined` where it is unset or blank. */
export function valueOf(env: Environment, name: string): string | undefined {
  const value = env[name];
  return value === undefined || value.trim() === '' ? undefined : value;
}
