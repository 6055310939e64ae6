import { schemaAt, MediaTypeObject, OpenAPIObject, ReferenceObject, SchemaObject } from './components.js';
import { Documented } from './schemas.js';
import '../resources/resource.js';

type AnySchema = SchemaObject | ReferenceObject;

/**
 * An example of a whole value, put together from those of its parts. What may be absent and has no example is left out.
 */
export function exampleOf(document: OpenAPIObject, schema: AnySchema): unknown {
  if ('$ref' in schema) return exampleOf(document, schemaAt(document, schema.$ref));
  if (schema.example !== undefined) return schema.example;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0] as unknown;
  if (schema.properties) return exampleOfObject(document, schema);
  const [part] = schema.allOf ?? schema.oneOf ?? schema.anyOf ?? [];
  if (part) return exampleOf(document, part);
  if (schema.type === 'array') return schema.items ? [exampleOf(document, schema.items)] : [];
  if (schema.type === 'boolean') return true;
  if (schema.type === 'object') return {};
  return schema.nullable ? null : undefined;
}

function exampleOfObject(document: OpenAPIObject, { properties = {}, required = [] }: SchemaObject): object {
  const parts = Object.entries(properties)
    .filter(([name, property]) => required.includes(name) || hasExample(document, property))
    .map(([name, property]) => [name, exampleOf(document, property)] as const);
  return Object.fromEntries(parts.filter(([, value]) => value !== undefined));
}

function hasExample(document: OpenAPIObject, property: AnySchema): boolean {
  if ('$ref' in property) return hasExample(document, schemaAt(document, property.$ref));
  return property.example !== undefined || property.properties !== undefined || property.items !== undefined;
}

/** When a resource that a PUT or a PATCH shows was changed: after the time that examples show else. */
const CHANGED_AT = '2026-11-20T10:15:00.000Z';

/**
 * Shows the body and the success of an operation by example, which has what the route's policy says of it and what the
 * body sets; pages in both styles.
 */
export function addExamples(document: OpenAPIObject, { operation, method, policy }: Documented): void {
  const successes = successesOf(operation);
  const [current] = successes.map(({ schema }) => schema && exampleOf(document, schema));
  const body = operation.requestBody;
  let sent: unknown;
  if (body && 'content' in body) {
    for (const media of Object.values(body.content)) {
      if (media.schema) media.example = bodyExample(method, exampleOf(document, media.schema), current);
      sent = media.example;
    }
  }
  const isChange = ['PUT', 'PATCH'].includes(method) && differingFrom(current, sent).length > 0;
  const created = method === 'POST' && policy.resource?.createdExample;
  const said = [created, sent, isChange && { updatedAt: CHANGED_AT }];
  for (const media of successes) addAnswerExample(document, media, said);
}

function successesOf({ responses }: Documented['operation']): MediaTypeObject[] {
  return Object.entries(responses).flatMap(([status, response]) =>
    status.startsWith('2') && response && !('$ref' in response) ? Object.values(response.content ?? {}) : [],
  );
}

/** A patch shows one change: of the first field that becomes another one, else of the last. */
function bodyExample(method: string, whole: unknown, current: unknown): unknown {
  if (method !== 'PATCH') return whole;
  const fields = Object.entries(whole as object);
  const shown = differingFrom(current, whole)[0] ?? fields.at(-1);
  return Object.fromEntries(shown ? [shown] : []);
}

/** The fields of a body whose values differ from those that are shown. */
const differingFrom = (shown: unknown, body: unknown): [string, unknown][] =>
  valuesFor(shown, body).filter(([name, value]) => (shown as Record<string, unknown>)[name] !== value);

function addAnswerExample(document: OpenAPIObject, media: MediaTypeObject, said: readonly unknown[]): void {
  const { schema } = media;
  if (!schema) return;
  const pages = 'anyOf' in schema ? schema.anyOf : undefined;
  if (pages?.length !== 2) {
    media.example = said.reduce(withValues, exampleOf(document, schema));
    return;
  }
  const [offset, cursor] = pages.map((page) => exampleOf(document, page));
  media.examples = {
    offset: { summary: 'By number, the default', value: offset },
    cursor: { summary: 'By cursor', value: cursor },
  };
}

/** The example of a resource with the values that a body sets. */
function withValues(shown: unknown, values: unknown): unknown {
  if (typeof shown !== 'object' || shown === null || Array.isArray(shown)) return shown;
  return { ...shown, ...Object.fromEntries(valuesFor(shown, values)) };
}

/** The values of a body that a resource shows. What is a list or an object shows more than was sent. */
function valuesFor(shown: unknown, values: unknown): [string, unknown][] {
  if (typeof shown !== 'object' || shown === null) return [];
  return Object.entries(values || {}).filter(
    ([name, value]) => name in shown && (typeof value !== 'object' || value === null),
  );
}
