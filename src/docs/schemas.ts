import { RoutePolicy } from '../http/route-policy.js';
import { nameIn, schemaAt } from './components.js';
import { OpenAPIObject, OperationObject, ReferenceObject, SchemaObject } from './openapi-types.js';

type AnySchema = SchemaObject | ReferenceObject;

/** One operation of the document, with what its route says of itself. */
export interface Documented {
  readonly operation: OperationObject;
  /** In capitals. */
  readonly method: string;
  readonly policy: RoutePolicy;
}

/** Gives the page of each list a name (`ProductPage`), so that generated clients have a type for it. */
export function namePages(document: OpenAPIObject, operations: readonly Documented[]): void {
  const schemas = document.components?.schemas ?? {};
  for (const { operation, policy } of operations) {
    const page = policy.answers?.kind === 'list' ? jsonOf(operation.responses['200']) : undefined;
    if (!page?.schema || '$ref' in page.schema) continue;
    const data = page.schema.properties?.['data'] as { items?: ReferenceObject } | undefined;
    const name = `${nameIn(data?.items?.$ref ?? '')}Page`;
    schemas[name] = page.schema;
    page.schema = { $ref: `#/components/schemas/${name}` };
  }
}

/**
 * Marks what the server alone writes as `readOnly`: the properties of a resource that no body of its operations
 * takes. They may be sent back, and are ignored.
 */
export function markServerOwned(document: OpenAPIObject, operations: readonly Documented[]): void {
  const written = new Map<string, Set<string>>();
  for (const { operation, policy } of operations) {
    const body = referenceOf(jsonOf(operation.requestBody)?.schema);
    const answer = referenceOf(jsonOf(operation.responses[policy.answers?.status ?? 200])?.schema);
    if (!body || !answer || policy.answers?.kind !== 'resource') continue;
    const names = written.get(answer) ?? new Set<string>();
    for (const name of Object.keys(schemaAt(document, body).properties ?? {})) names.add(name);
    written.set(answer, names);
  }
  for (const [answer, names] of written) {
    for (const [name, property] of Object.entries(schemaAt(document, answer).properties ?? {})) {
      if (!names.has(name) && !('$ref' in property)) property.readOnly = true;
    }
  }
}

interface Content {
  readonly content?: Record<string, { schema?: AnySchema }>;
}

const jsonOf = (part: object | undefined): { schema?: AnySchema } | undefined =>
  (part as Content | undefined)?.content?.['application/json'];

const referenceOf = (schema: AnySchema | undefined): string | undefined =>
  schema && '$ref' in schema ? schema.$ref : undefined;
