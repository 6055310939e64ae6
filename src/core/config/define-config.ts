import { z } from 'zod';

/** One environment variable. */
export interface Setting<S extends z.ZodType = z.ZodType> {
  /** As it is written in the environment. */
  readonly name: string;
  /** Reads its text; `undefined` where the variable is unset. */
  readonly schema: S;
  /** Its value is never printed, and it has a twin with `_FILE` that names a file to read it from. */
  readonly isSecret: boolean;
}

/** Settings by the properties of the configuration, in groups. */
export interface SettingTree {
  readonly [property: string]: Setting | SettingTree;
}

/** The configuration that settings make. */
export type ConfigOf<Tree> = {
  readonly [K in keyof Tree]: Tree[K] extends Setting<infer S> ? z.output<S> : ConfigOf<Tree[K]>;
};

/** A variable of the environment. @example host: env('HOST', text.default('127.0.0.1')) */
export const env = <S extends z.ZodType>(name: string, schema: S): Setting<S> => ({
  name,
  schema,
  isSecret: false,
});

/** A variable that holds a secret. */
export const secret = <S extends z.ZodType>(name: string, schema: S): Setting<S> => ({
  ...env(name, schema),
  isSecret: true,
});

export const isSetting = (node: Setting | SettingTree): node is Setting =>
  node['schema'] instanceof z.ZodType;

/** All variables of a tree, in their order. */
export function settingsOf(tree: SettingTree): Setting[] {
  return Object.values(tree).flatMap((node) => (isSetting(node) ? node : settingsOf(node)));
}

/**
 * Declares the variables of an application: `readConfig` reads them, `ConfigService` hands them out.
 *
 * @example
 * export const SETTINGS = defineConfig({ shop: { currency: env('SHOP_CURRENCY', oneOf(['USD', 'EUR'])) } });
 * config.get('shop.currency', { infer: true });
 */
export function defineConfig<const Tree extends SettingTree>(tree: Tree): Tree {
  const names = settingsOf(tree).map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw new Error(`${twice} is declared twice`);
  return tree;
}
