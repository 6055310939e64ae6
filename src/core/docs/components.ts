import { OpenAPIObject } from '@nestjs/swagger';

import { DocumentedAccess } from './describe-operation.js';

const REFERENCE = /^#\/components\/(\w+)\/(.+)$/;

type Shelves = Record<string, Record<string, unknown> | undefined>;

/** The schema that a reference names. */
export function schemaAt(document: OpenAPIObject, reference: string): SchemaObject {
  const name = nameIn(reference);
  const schema = document.components?.schemas?.[name];
  if (!schema || '$ref' in schema) throw new Error(`the document has no schema ${reference}`);
  return schema;
}

/** `#/components/schemas/Product` → `Product`. */
export function nameIn(reference: string): string {
  return REFERENCE.exec(reference)?.[2] ?? '';
}

/** The document without the components that nothing in its paths leads to. Security schemes all stay. */
export function withoutUnused(document: OpenAPIObject): OpenAPIObject {
  const { securitySchemes, ...shelves } = (document.components ?? {}) as Shelves;
  const used = new Set<string>();
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const reference = (node as { $ref?: unknown }).$ref;
    if (typeof reference === 'string' && !used.has(reference)) {
      used.add(reference);
      const [, shelf = '', name = ''] = REFERENCE.exec(reference) ?? [];
      visit(shelves[shelf]?.[name]);
    }
    for (const child of Object.values(node)) visit(child);
  };
  visit(document.paths);
  const kept = Object.entries(shelves).map(([shelf, entries = {}]) => [
    shelf,
    Object.fromEntries(Object.entries(entries).filter(([name]) => used.has(`#/components/${shelf}/${name}`))),
  ]);
  // `never`: `Object.fromEntries` forgets which shelf holds what; entries are only left out.
  return { ...document, components: { securitySchemes, ...Object.fromEntries(kept) } as never };
}

// The parts of an OpenAPI document that are added to what Swagger found, by their names in the specification.

type Of<T> = NonNullable<T>;
type Components = Of<OpenAPIObject['components']>;

export type { OpenAPIObject };
export type ReferenceObject = { $ref: string };
export type HeaderObject = Exclude<Of<Components['headers']>[string], ReferenceObject>;
export type SchemaObject = Exclude<Of<Components['schemas']>[string], ReferenceObject>;
export type ResponseObject = Exclude<Of<Components['responses']>[string], ReferenceObject>;
export type ParameterObject = Exclude<Of<Components['parameters']>[string], ReferenceObject>;
export type ExampleObject = Exclude<Of<Components['examples']>[string], ReferenceObject>;
export type MediaTypeObject = Of<ResponseObject['content']>[string];
export type PathItemObject = OpenAPIObject['paths'][string];
export type OperationObject = Of<PathItemObject['get']> & { 'x-access'?: DocumentedAccess };
export type SecurityRequirement = Of<OperationObject['security']>[number];
