import { toSingular } from '../resources/nouns.js';

/** `ProductsController.get` → `getProduct`, `.list` → `listProducts`, `LoginController.login` → `login`. */
export function operationName(controller: string, method: string): string {
  // If a controller serves several versions, NestJS numbers its methods: `login[1]`.
  const name = method.replace(/\[\d+\]$/, '');
  const plural = controller.replace(/(V\d+)?Controller$/, '');
  if (name.toLowerCase() === plural.toLowerCase()) return name;
  if (name === 'list' || name === 'batch') return `${name}${plural}`;
  const singular = plural.replace(/^.+?(?=Of[A-Z]|$)/, toSingular);
  if (name === 'facets') return `get${singular}Facets`;
  // In clients, `remove` is called `delete`.
  return `${name === 'remove' ? 'delete' : name}${singular}`;
}
