import { PRODUCT } from '../config/product.js';
import '../lists/list-parameters.decorator.js';
import { AnySchema, MediaTypeObject, nameIn, Operation, SchemaObject, Schemas } from './openapi.js';

/** Shows the body and the success of an operation by example, pages in both styles, and its call by the typed client. */
export function addExamples(documented: Operation, schemas: Schemas): void {
  const { operation, method, policy } = documented;
  const { content = {} } = (operation.requestBody ?? {}) as { content?: Record<string, MediaTypeObject> };
  for (const media of Object.values(content)) {
    const whole = media.schema && exampleOf(media.schema, schemas);
    // A patch shows one change.
    if (method === 'PATCH') media.example = Object.fromEntries(Object.entries(whole as object).slice(0, 1));
    else media.example = policy.batch ? withoutDeletions(whole as BatchExample) : whole;
  }
  const successes = Object.entries(operation.responses).flatMap(([status, response]) =>
    status.startsWith('2') && response && 'content' in response ? Object.values(response.content ?? {}) : [],
  );
  for (const media of successes) {
    const shown = media.schema && exampleOf(media.schema, schemas);
    if (policy.answers?.kind !== 'list' || !isPage(shown)) media.example = shown;
    else {
      const { nextCursor, hasMore, ...byNumber } = shown.pagination;
      media.examples = {
        offset: { summary: 'By number, the default', value: { ...shown, pagination: byNumber } },
        cursor: { summary: 'By cursor', value: { ...shown, pagination: { nextCursor, hasMore } } },
      };
    }
  }
  addCodeSample(documented, content['application/json']?.example);
}

interface BatchExample {
  readonly operations: readonly { readonly method: string }[];
}

/** The page of the docs sends an example as it is. A deletion stays only where a batch takes nothing else. */
const withoutDeletions = ({ operations, ...batch }: BatchExample): BatchExample => ({
  ...batch,
  operations: operations.filter(({ method }) => method !== 'delete' || operations.length === 1),
});

const isPage = (value: unknown): value is { pagination: Record<string, unknown> } =>
  typeof value === 'object' && value !== null && 'pagination' in value;

/** An example of a value, made of those of its parts. What may be absent and has no example is left out. */
function exampleOf(given: AnySchema, schemas: Schemas): unknown {
  const schema = resolved(given, schemas);
  const { examples, properties, required = [], items, type } = schema;
  const [example = schema.example as unknown] = (examples ?? []) as unknown[];
  if (example !== undefined) return example;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0] as unknown;
  if (properties) {
    const shown = Object.entries(properties)
      .filter(([name, property]) => required.includes(name) || hasExample(resolved(property, schemas)))
      .map(([name, property]) => [name, exampleOf(property, schemas)] as const);
    return Object.fromEntries(shown.filter(([, value]) => value !== undefined));
  }
  const [part] = schema.allOf ?? schema.oneOf ?? schema.anyOf ?? [];
  if (part) return exampleOf(part, schemas);
  if (type === 'array') return partsOf(items).map((item) => exampleOf(item, schemas));
  if (type === 'boolean') return true;
  return type === 'object' ? {} : undefined;
}

const partsOf = (items: AnySchema | undefined): AnySchema[] =>
  items && 'oneOf' in items ? (items.oneOf ?? []) : items ? [items] : [];

const resolved = (schema: AnySchema, schemas: Schemas): SchemaObject =>
  '$ref' in schema ? resolved(schemas[nameIn(schema.$ref)] ?? {}, schemas) : schema;

const hasExample = ({ example, examples, properties, items }: SchemaObject): boolean =>
  (example ?? examples ?? properties ?? items) !== undefined;

const ON_ONE: Readonly<Record<string, string>> = {
  GET: 'get',
  PUT: 'replace',
  PATCH: 'patch',
  DELETE: 'delete',
};

/** Shows the call of an operation by the typed client, where its collection is under no other. */
function addCodeSample({ operation, method, path, policy }: Operation, body: unknown): void {
  const [, version, row] = /^\/api\/(v\d+)\/[\w-]+(\/\{\w+\})?$/.exec(path) ?? [];
  if (!version || !policy.resource) return;
  const name = row ? ON_ONE[method] : policy.list ? 'list' : 'create';
  const [tag = ''] = operation.tags ?? [];
  const resource = tag.toLowerCase().replaceAll(/\W+(\w)/g, (_match, letter: string) => letter.toUpperCase());
  const call = `await api.${resource}.${name}(${[row && '42', JSON.stringify(body, null, 2)].filter(Boolean).join(', ')});`;
  const source = `import { createClient, token } from '${PRODUCT.clientPackage}';

const api = createClient({ baseUrl: 'https://api.example.com', version: '${version}', auth: token() });
${method === 'DELETE' ? '' : `const { ${policy.list ? 'data, pagination' : 'data, etag'} } = `}${call}`;
  Object.assign(operation, { 'x-codeSamples': [{ lang: 'typescript', label: 'Typed client', source }] });
}
