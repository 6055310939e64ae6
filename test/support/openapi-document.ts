export interface Media {
  schema: Record<string, unknown>;
  example?: unknown;
  examples?: Record<string, { $ref?: string; value?: unknown }>;
}

export interface Part {
  $ref?: string;
  description?: string;
  content?: Record<string, Media>;
  headers?: Record<string, unknown>;
}

export interface ErrorSchema {
  properties: {
    error: { properties: { code: { const?: string }; status: { const?: number } } };
  };
}

export interface Operation {
  operationId: string;
  description: string;
  tags: string[];
  security: Record<string, string[]>[];
  'x-access'?: object;
  parameters?: { name: string; in: string; schema?: object }[];
  requestBody?: Part;
  responses: Record<string, Part>;
}

export interface Document {
  info: { title: string; version: string };
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, Record<string, unknown>>;
}

export const operationsOf = (document: Document): [where: string, operation: Operation][] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): [string, Operation] => [
      `${method} ${path}`,
      { ...operation, responses: resolvedResponses(document, operation) },
    ]),
  );

/** The responses of an operation, with references resolved. */
const resolvedResponses = (document: Document, { responses }: Operation): Operation['responses'] =>
  Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [
      status,
      response.$ref === undefined ? response : (resolve(document, response.$ref) as Part),
    ]),
  );

/** The names of the operations for which a check is true. */
export const where = (
  document: Document,
  isWrong: (operation: Operation, name: string) => boolean,
): string[] =>
  operationsOf(document)
    .filter(([name, operation]) => isWrong(operation, name))
    .map(([name]) => name);

/** Every reference in a document. */
export function referencesIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const own = (node as { $ref?: unknown }).$ref;
  return [...(typeof own === 'string' ? [own] : []), ...Object.values(node).flatMap(referencesIn)];
}

export function resolve(document: Document, reference: string): unknown {
  const [, , shelf = '', name = ''] = reference.split('/');
  return document.components[shelf]?.[name];
}

export type ServedDocuments = [
  whole: [name: string, document: Document],
  ...versions: [name: string, document: Document][],
];

/** The documents that a service serves, that of all versions first. */
export async function documentsOf(baseUrl: string): Promise<ServedDocuments> {
  const read = async (path: string): Promise<Document> =>
    (await (await fetch(`${baseUrl}/docs/${path}`)).json()) as Document;
  return [
    ['all versions', await read('openapi.json')],
    ['v1', await read('v1/openapi.json')],
    ['v2', await read('v2/openapi.json')],
  ];
}
