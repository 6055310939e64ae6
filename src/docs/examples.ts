import { schemaAt } from './components.js';
import {
  MediaTypeObject,
  OpenAPIObject,
  OperationObject,
  ReferenceObject,
  SchemaObject,
} from './openapi-types.js';

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

/** Shows the body and the success of an operation by example, which has what the body sets; pages in both styles. */
export function addExamples(document: OpenAPIObject, method: string, operation: OperationObject): void {
  const body = operation.requestBody;
  let sent: unknown;
  if (body && 'content' in body) {
    for (const media of Object.values(body.content)) {
      addBodyExample(document, method, media);
      sent = media.example;
    }
  }
  for (const [status, response] of Object.entries(operation.responses)) {
    if (!status.startsWith('2') || !response || '$ref' in response) continue;
    for (const media of Object.values(response.content ?? {})) addAnswerExample(document, media, sent);
  }
}

function addBodyExample(document: OpenAPIObject, method: string, media: MediaTypeObject): void {
  if (!media.schema) return;
  const whole = exampleOf(document, media.schema) as Record<string, unknown>;
  // Of a patch, one change, and of nothing that names the resource.
  media.example = method === 'PATCH' ? Object.fromEntries(Object.entries(whole).slice(-1)) : whole;
}

function addAnswerExample(document: OpenAPIObject, media: MediaTypeObject, sent: unknown): void {
  const { schema } = media;
  if (!schema) return;
  const pages = 'anyOf' in schema ? schema.anyOf : undefined;
  if (pages?.length !== 2) {
    media.example = withSent(exampleOf(document, schema), sent);
    return;
  }
  const [offset, cursor] = pages.map((page) => exampleOf(document, page));
  media.examples = {
    offset: { summary: 'By number, the default', value: offset },
    cursor: { summary: 'With `cursor`', value: cursor },
  };
}

/** The example of a resource with the values that a body sets. What is a list or an object shows more than was sent. */
function withSent(shown: unknown, sent: unknown): unknown {
  if (typeof shown !== 'object' || shown === null || Array.isArray(shown)) return shown;
  const values = Object.entries(sent ?? {}).filter(
    ([name, value]) => name in shown && (typeof value !== 'object' || value === null),
  );
  return { ...shown, ...Object.fromEntries(values) };
}
