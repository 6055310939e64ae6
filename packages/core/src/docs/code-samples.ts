import { PRODUCT } from '../config/product.js';
import { MediaTypeObject, Operation } from './openapi.js';

const ON_ONE: Readonly<Record<string, string>> = {
  GET: 'get',
  PUT: 'replace',
  PATCH: 'patch',
  DELETE: 'delete',
};

/** Shows the call of an operation by the typed client, where its collection is under no other. */
export function addCodeSample({ operation, method, path, policy }: Operation): void {
  const [, version, row] = /^\/api\/(v\d+)\/[\w-]+(\/\{\w+\})?$/.exec(path) ?? [];
  if (!version || !policy.resource) return;
  const { content } = (operation.requestBody ?? {}) as { content?: Record<string, MediaTypeObject> };
  const body = JSON.stringify(content?.['application/json']?.example, null, 2);
  const name = row ? ON_ONE[method] : policy.list ? 'list' : 'create';
  const [tag = ''] = operation.tags ?? [];
  const resource = tag.toLowerCase().replaceAll(/\W+(\w)/g, (_match, letter: string) => letter.toUpperCase());
  const call = `await api.${resource}.${name}(${[row && '42', body].filter(Boolean).join(', ')});`;
  const source = `import { createClient, token } from '${PRODUCT.clientPackage}';

const api = createClient({ baseUrl: 'https://api.example.com', version: '${version}', auth: token() });
${method === 'DELETE' ? '' : `const { ${policy.list ? 'data, pagination' : 'data, etag'} } = `}${call}`;
  Object.assign(operation, { 'x-codeSamples': [{ lang: 'typescript', label: 'Typed client', source }] });
}
