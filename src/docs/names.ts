import { singularOf } from '../resources/words.js';

/** Verbs that clients know by another name. */
const VERBS: Readonly<Record<string, string | undefined>> = { remove: 'delete' };

/**
 * `ProductsController.get` → `getProduct`, `.list` → `listProducts`, `ItemsOfOrderController.get` → `getItemOfOrder`;
 * `LoginController.login` → `login`.
 */
export function operationName(controller: string, method: string): string {
  // Where a controller serves several versions, Nest numbers its methods: `login[1]`.
  const name = method.replace(/\[\d+\]$/, '');
  const plural = controller.replace(/(V\d+)?Controller$/, '');
  if (name.toLowerCase() === plural.toLowerCase()) return name;
  const verb = VERBS[name] ?? name;
  if (verb === 'list') return `${verb}${plural}`;
  const [, collection = '', parent = ''] = /^(.+?)(Of[A-Z].*)?$/.exec(plural) ?? [];
  return `${verb}${pascalCase(singularOf(kebabCase(collection)))}${parent}`;
}

const kebabCase = (name: string): string =>
  name.replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => `-${letter}`).toLowerCase();

const pascalCase = (name: string): string =>
  name.replaceAll(/(?:^|-)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
