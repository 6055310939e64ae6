import { PRODUCT } from '../config/product.js';
import { isObject, JsonObject } from '../fields/dto-schema.js';
import {
  AnySchema,
  MediaTypeObject,
  schemaNameIn,
  DocumentedOperation,
  ParameterObject,
  SchemaObject,
  Schemas,
} from './openapi.js';
import { numberFor, textFor } from './example-values.js';

/**
 * The placeholder for the origin of the service in servers, samples and guides. The actual origin replaces it when a
 * document is sent.
 */
export const ORIGIN = 'https://api.example.com';

/**
 * Adds examples to an operation: of the request body, of the successful response, and of the call with the typed
 * client. A list gets two examples of the response: a page by number and a page by cursor.
 */
export function addExamples(documented: DocumentedOperation, schemas: Schemas): void {
  const { operation, method, policy } = documented;
  const { content = {} } = (operation.requestBody ?? {}) as { content?: Record<string, MediaTypeObject> };
  for (const media of Object.values(content)) {
    const whole = mediaExample(media, schemas);
    if (method === 'PATCH' && isObject(whole)) media.example = patchExample(whole, media, schemas);
    else media.example = policy.batch ? withoutDeletions(whole as BatchExample) : whole;
  }
  for (const parameter of (operation.parameters ?? []) as ParameterObject[])
    if (parameter.in === 'path' && parameter.schema && !parameter.examples)
      parameter.example ??= buildExample(parameter.schema, schemas);
  const successes = Object.entries(operation.responses).flatMap(([status, response]) =>
    status.startsWith('2') && response && 'content' in response ? Object.values(response.content ?? {}) : [],
  );
  for (const media of successes) {
    const shown = mediaExample(media, schemas);
    if (policy.success?.kind !== 'list' || !isPageExample(shown)) media.example = shown;
    else {
      const { nextCursor, hasMore, ...byNumber } = shown.pagination;
      media.examples = {
        offset: { summary: 'By number (the default)', value: { ...shown, pagination: byNumber } },
        cursor: { summary: 'By cursor', value: { ...shown, pagination: { nextCursor, hasMore } } },
      };
    }
  }
  addCodeSample(documented, content['application/json']?.example);
}

interface BatchExample {
  readonly operations: readonly { readonly method: string }[];
}

/**
 * Removes deletions from the example of a batch, because the docs page may send the example unchanged. Keeps a deletion
 * that is the only operation.
 */
const withoutDeletions = ({ operations, ...batch }: BatchExample): BatchExample => ({
  ...batch,
  operations: operations.filter(({ method }) => method !== 'delete' || operations.length === 1),
});

/** Returns the example of a body, or `undefined` if the body can be anything, or is plain text or a file. */
function mediaExample({ schema = {} }: MediaTypeObject, schemas: Schemas): unknown {
  const shown = resolveReference(schema, schemas);
  const isText = shown.type === 'string' && !shown.enum && !hasExample(shown);
  return isText || Object.keys(shown).length === 0 ? undefined : buildExample(schema, schemas);
}

/** Returns the example of a PATCH body: the required fields, or the first field if no field is required. */
function patchExample(whole: JsonObject, { schema = {} }: MediaTypeObject, schemas: Schemas): object {
  const { required = [] } = resolveReference(schema, schemas);
  const all = Object.entries(whole);
  const needed = all.filter(([name]) => required.includes(name));
  return Object.fromEntries(needed.length > 0 ? needed : all.slice(0, 1));
}

const isPageExample = (value: unknown): value is { pagination: Record<string, unknown> } =>
  typeof value === 'object' && value !== null && 'pagination' in value;

/**
 * Builds the example of a schema from the examples of its parts. Leaves out optional properties without an example.
 * @param within the names of the schemas that contain this one. A schema that contains itself has no example
 * @returns `undefined` if no valid value is known, as for a pattern
 */
function buildExample(given: AnySchema, schemas: Schemas, within: readonly string[] = []): unknown {
  if ('$ref' in given) {
    const name = schemaNameIn(given.$ref);
    return within.includes(name) ? undefined : buildExample(schemas[name] ?? {}, schemas, [...within, name]);
  }
  const { examples, properties, required = [], allOf, oneOf, anyOf, discriminator, ...schema } = given;
  const of = (part: AnySchema): unknown => buildExample(part, schemas, within);
  const [example = schema.example as unknown] = Object.values(examples ?? {}) as unknown[];
  if (example !== undefined) return example;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0] as unknown;
  if (properties) {
    const shown = Object.entries(properties)
      .filter(
        ([name, property]) => required.includes(name) || hasExample(resolveReference(property, schemas)),
      )
      .map(([name, property]) => [name, of(property)] as const)
      .filter(([, value]) => value !== undefined);
    const names = new Set(shown.map(([name]) => name));
    return required.every((name) => names.has(name)) ? Object.fromEntries(shown) : undefined;
  }
  if (allOf)
    return allOf.length === 1 ? of(allOf[0] as AnySchema) : (Object.assign({}, ...allOf.map(of)) as object);
  const [part] = oneOf ?? anyOf ?? [];
  if (part) {
    const value = of(part);
    const { propertyName = '', mapping = {} } = discriminator ?? {};
    const [name] = Object.entries(mapping).find(([, ref]) => '$ref' in part && ref === part.$ref) ?? [];
    return isObject(value) && name !== undefined ? { ...value, [propertyName]: name } : value;
  }
  const type = [schema.type].flat().find((one) => one !== 'null');
  if (type === 'array') return itemsFor(schema, itemSchemas(schema.items).map(of));
  if (type === 'boolean') return true;
  if (type === 'number' || type === 'integer') return numberFor(schema, type === 'integer');
  return type === 'string' ? textFor(schema) : {};
}

function itemsFor(
  { minItems = 0, maxItems, uniqueItems }: SchemaObject,
  examples: unknown[],
): unknown[] | undefined {
  const items = examples.filter((item) => item !== undefined).slice(0, maxItems);
  const tooFew = items.length < minItems;
  if (tooFew && (uniqueItems || items.length === 0)) return undefined;
  return tooFew ? Array.from({ length: minItems }, (_, index) => items[index % items.length]) : items;
}

const itemSchemas = (items: AnySchema | undefined): AnySchema[] =>
  items && 'oneOf' in items ? (items.oneOf ?? []) : items ? [items] : [];

const resolveReference = (schema: AnySchema, schemas: Schemas): SchemaObject =>
  '$ref' in schema ? resolveReference(schemas[schemaNameIn(schema.$ref)] ?? {}, schemas) : schema;

const hasExample = ({ example, examples, properties, items }: SchemaObject): boolean =>
  (example ?? examples ?? properties ?? items) !== undefined;

const ROW_METHODS: Readonly<Record<string, string>> = {
  GET: 'get',
  PUT: 'replace',
  PATCH: 'patch',
  DELETE: 'delete',
};

/** Adds a code sample that calls the operation with the typed client. Nested collections get no sample. */
function addCodeSample({ operation, method, path, policy }: DocumentedOperation, body: unknown): void {
  const [, version, row] = /^\/api\/(v\d+)\/[\w-]+(\/\{\w+\})?$/.exec(path) ?? [];
  if (!version || !policy.resource) return;
  const name = row ? ROW_METHODS[method] : policy.list ? 'list' : 'create';
  const [tag = ''] = operation.tags ?? [];
  const resource = tag.toLowerCase().replaceAll(/\W+(\w)/g, (_match, letter: string) => letter.toUpperCase());
  const call = `await api.${resource}.${name}(${[row && '42', JSON.stringify(body, null, 2)].filter(Boolean).join(', ')});`;
  const source = `import { createClient, token } from '${PRODUCT.clientPackage}';

const api = createClient({ baseUrl: '${ORIGIN}', version: '${version}', auth: token() });
${method === 'DELETE' ? '' : `const { ${policy.list ? 'data, pagination' : 'data, etag'} } = `}${call}`;
  Object.assign(operation, { 'x-codeSamples': [{ lang: 'typescript', label: 'Typed client', source }] });
}
