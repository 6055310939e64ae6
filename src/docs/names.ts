import { singularOf } from '../resources/words.js';

/** `ProductsController.get` → `getProduct`, `.list` → `listProducts`; `LoginController.login` → `login`. */
export function operationName(controller: string, method: string): string {
  // Where a controller serves several versions, Nest numbers its methods: `login[1]`.
  const verb = method.replace(/\[\d+\]$/, '');
  const plural = controller.replace(/(V\d+)?Controller$/, '');
  if (verb.toLowerCase() === plural.toLowerCase()) return verb;
  return `${verb}${verb === 'list' ? plural : singularOf(plural)}`;
}
