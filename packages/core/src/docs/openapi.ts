import { OpenAPIObject } from '@nestjs/swagger';

import { RoutePolicy } from '../routes/route-policy.js';

// Types of the parts of an OpenAPI document. Their names are those of the specification.

type Of<T> = NonNullable<T>;
type Components = Of<OpenAPIObject['components']>;

export type ReferenceObject = { $ref: string };
export type HeaderObject = Exclude<Of<Components['headers']>[string], ReferenceObject>;
export type SchemaObject = Exclude<Of<Components['schemas']>[string], ReferenceObject> & { const?: unknown };
export type AnySchema = SchemaObject | ReferenceObject;
export type Schemas = Record<string, AnySchema>;
export type ResponseObject = Exclude<Of<Components['responses']>[string], ReferenceObject>;
export type ParameterObject = Exclude<Of<Components['parameters']>[string], ReferenceObject>;
export type MediaTypeObject = Of<ResponseObject['content']>[string];
export type OperationObject = Of<OpenAPIObject['paths'][string]['get']> & { 'x-access'?: object };

export const DOCUMENT_METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** An operation of the document with the policy of its route. */
export interface DocumentedOperation {
  readonly operation: OperationObject;
  readonly method: string;
  readonly path: string;
  readonly policy: RoutePolicy;
  /** Returns the noun for one row of a collection: `products` → `product`. */
  readonly nounFor: (collection: string) => string;
}

/** Returns the properties of the schema that a reference names. */
export const schemaProperties = (schemas: Schemas, reference = ''): Record<string, AnySchema> =>
  (schemas[schemaNameIn(reference)] as SchemaObject | undefined)?.properties ?? {};

/** `#/components/schemas/Product` → `Product`. */
export const schemaNameIn = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);

export const requestBodyRef = ({ requestBody }: OperationObject): string | undefined =>
  referenceIn(requestBody);

export const responseRef = ({ responses }: OperationObject, status = 200): string | undefined =>
  referenceIn(responses[status]);

function referenceIn(part: object | undefined): string | undefined {
  const { content } = (part ?? {}) as { content?: Record<string, MediaTypeObject> };
  return (content?.['application/json']?.schema as Partial<ReferenceObject> | undefined)?.$ref;
}

/** Removes the components to which nothing in the paths refers. Keeps all security schemes. */
export function withoutUnusedComponents(document: OpenAPIObject): OpenAPIObject {
  const { securitySchemes, ...shelves } = (document.components ?? {}) as Record<
    string,
    Record<string, unknown>
  >;
  const used = new Set<string>();
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { $ref } = node as { $ref?: unknown };
    if (typeof $ref === 'string' && !used.has($ref)) {
      used.add($ref);
      visit(shelves[$ref.split('/')[2] ?? '']?.[schemaNameIn($ref)]);
    }
    for (const child of Object.values(node)) visit(child);
  };
  visit(document.paths);
  const kept = Object.entries(shelves).map(([shelf, entries]) => [
    shelf,
    Object.fromEntries(Object.entries(entries).filter(([name]) => used.has(`#/components/${shelf}/${name}`))),
  ]);
  return { ...document, components: { securitySchemes, ...Object.fromEntries(kept) } as Components };
}
