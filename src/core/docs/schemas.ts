import { RoutePolicy } from '../http/route-policy.js';
import { exclusiveFields } from '../resources/openapi/exactly-one-of.decorator.js';
import {
  nameIn,
  schemaAt,
  OpenAPIObject,
  OperationObject,
  ReferenceObject,
  SchemaObject,
} from './components.js';

type AnySchema = SchemaObject | ReferenceObject;

/** One operation of the document, with what its route says of itself. */
export interface Documented {
  readonly operation: OperationObject;
  /** In capitals. */
  readonly method: string;
  readonly policy: RoutePolicy;
}

/**
 * Gives the pages of each list names (`ProductPage`, `ProductCursorPage`), so that generated clients have types for
 * them.
 */
export function namePages(document: OpenAPIObject, operations: readonly Documented[]): void {
  const schemas = document.components?.schemas ?? {};
  for (const { operation, policy } of operations) {
    const page = policy.answers?.kind === 'list' ? jsonOf(operation.responses['200']) : undefined;
    if (!page?.schema || '$ref' in page.schema) continue;
    const styles = (page.schema.anyOf ?? []) as SchemaObject[];
    page.schema = {
      // Not `oneOf`: what tells the styles apart is one level down, in `pagination`, where linters do not look for it.
      anyOf: styles.map((style) => {
        const { data, pagination } = (style.properties ?? {}) as Record<string, PagePart | undefined>;
        const suffix = nameIn(pagination?.$ref ?? '').startsWith('Cursor') ? 'CursorPage' : 'Page';
        const name = `${nameIn(data?.items?.$ref ?? '')}${suffix}`;
        schemas[name] = style;
        return { $ref: `#/components/schemas/${name}` };
      }),
    };
  }
}

interface PagePart {
  readonly $ref?: string;
  readonly items?: ReferenceObject;
}

/**
 * Says the defaults of the fields of bodies in their descriptions: as `default`, generators of clients take a field to
 * be there always, and make it required.
 */
export function describeDefaults(document: OpenAPIObject, operations: readonly Documented[]): void {
  const described = new Set<string>();
  const describe = (reference: string | undefined): void => {
    if (reference === undefined || described.has(reference)) return;
    described.add(reference);
    for (const property of Object.values(schemaAt(document, reference).properties ?? {})) {
      describe(referenceOf(property));
      if ('$ref' in property) continue;
      describe(referenceOf(property.items));
      if (property.default === undefined) continue;
      const said = `Default: \`${JSON.stringify(property.default)}\`.`;
      property.description = [property.description, said].filter(Boolean).join(' ');
      delete property.default;
    }
  };
  for (const { operation } of operations) describe(referenceOf(jsonOf(operation.requestBody)?.schema));
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

/**
 * Says of the bodies that have exactly one of some fields, which ones: one of them has a value, the others are `null`.
 */
export function excludeEachOther(document: OpenAPIObject): void {
  for (const [name, fields] of exclusiveFields()) {
    const schema = document.components?.schemas?.[name];
    if (!schema || '$ref' in schema) continue;
    // Not `oneOf`, though the parts exclude each other: linters want the fields that tell parts apart required in each.
    schema.anyOf = fields.map((field) => ({
      type: 'object',
      required: [field],
      properties: Object.fromEntries(
        fields.map((other) => [other, other === field ? ofValue(schema, field) : NULL]),
      ),
    }));
  }
}

/** The type of a property that has a value. */
function ofValue({ properties }: SchemaObject, name: string): SchemaObject {
  const { type } = (properties?.[name] ?? {}) as { type?: string | string[] };
  return { type: [type ?? []].flat().find((one) => one !== 'null') };
}

/** The types are those of OpenAPI 3.0, which has no type of null. */
const NULL: SchemaObject = { type: 'null' };

interface Content {
  readonly content?: Record<string, { schema?: AnySchema }>;
}

export const jsonOf = (part: object | undefined): { schema?: AnySchema } | undefined =>
  part && 'content' in part ? (part as Content).content?.['application/json'] : undefined;

export const referenceOf = (schema: AnySchema | undefined): string | undefined =>
  schema && '$ref' in schema ? schema.$ref : undefined;
