import { schemaAt } from './components.js';
import {
  MediaTypeObject,
  OpenAPIObject,
  OperationObject,
  ReferenceObject,
  SchemaObject,
} from './openapi-types.js';

type AnySchema = SchemaObject | ReferenceObject;

/** An example of a whole value, put together from those of its parts; parts without one are left out. */
export function exampleOf(document: OpenAPIObject, schema: AnySchema): unknown {
  if ('$ref' in schema) return exampleOf(document, schemaAt(document, schema.$ref));
  if (schema.example !== undefined) return schema.example;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0] as unknown;
  const [part] = schema.allOf ?? schema.oneOf ?? [];
  if (part) return exampleOf(document, part);
  if (schema.type === 'array') return schema.items ? [exampleOf(document, schema.items)] : [];
  if (schema.type === 'boolean') return true;
  if (schema.type !== 'object') return schema.nullable ? null : undefined;
  const parts = Object.entries(schema.properties ?? {}).map(([name, property]) => [
    name,
    exampleOf(document, property),
  ]);
  return Object.fromEntries(parts.filter(([, value]) => value !== undefined));
}

/** Shows the body and the success of an operation by example; pages in both styles. */
export function addExamples(document: OpenAPIObject, method: string, operation: OperationObject): void {
  const body = operation.requestBody;
  if (body && 'content' in body) {
    for (const media of Object.values(body.content)) addBodyExample(document, method, media);
  }
  for (const [status, response] of Object.entries(operation.responses)) {
    if (!status.startsWith('2') || !response || '$ref' in response) continue;
    for (const media of Object.values(response.content ?? {})) addAnswerExample(document, media);
  }
}

function addBodyExample(document: OpenAPIObject, method: string, media: MediaTypeObject): void {
  if (!media.schema) return;
  const whole = exampleOf(document, media.schema) as Record<string, unknown>;
  // Of a patch, one change: its fields are the ones to leave out.
  media.example = method === 'PATCH' ? Object.fromEntries(Object.entries(whole).slice(0, 1)) : whole;
}

function addAnswerExample(document: OpenAPIObject, media: MediaTypeObject): void {
  const { schema } = media;
  if (!schema) return;
  const whole = exampleOf(document, schema);
  const resolved = '$ref' in schema ? schemaAt(document, schema.$ref) : schema;
  const styles = resolved.properties?.['pagination'];
  if (!styles || !('oneOf' in styles) || !styles.oneOf) {
    media.example = whole;
    return;
  }
  const [offset, cursor] = styles.oneOf.map((style) => ({
    ...(whole as object),
    pagination: exampleOf(document, style),
  }));
  media.examples = {
    offset: { summary: 'By number, the default', value: offset },
    cursor: { summary: 'With `cursor`', value: cursor },
  };
}
