/** The parts of an OpenAPI document that its surface is made of. */
export interface SurfaceDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, SurfaceOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface SurfaceOperation {
  readonly operationId: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly schema?: Schema;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, Response>>;
}

interface Media {
  readonly schema?: Schema;
}

interface Response {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, Media>>;
}

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

/**
 * What clients depend on, a line for each operation and each schema: `GET /api/v1/products listProducts (inStock:
 * boolean, sort: price | name) → 200 ProductPage`, `Product { id: integer, … }`. Required parameters and fields end in
 * `!`.
 */
export function surfaceOf(document: SurfaceDocument): string[] {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) =>
      operationLine(`${method.toUpperCase()} ${path}`, operation),
    ),
  );
  const schemas = Object.entries(document.components.schemas)
    .filter(([name]) => !name.endsWith('Error'))
    .map(([name, schema]) => `${name} ${typeOf(schema)}`);
  return [...operations.sort(), ...schemas.sort()];
}

function operationLine(where: string, operation: SurfaceOperation): string {
  const { operationId, parameters = [], requestBody, responses } = operation;
  const named = parameters.map(
    ({ name, required, schema }) =>
      `${name}${required ? '!' : ''}: ${schema ? parameterType(schema) : 'any'}`,
  );
  const body = requestBody && contentOf(requestBody);
  const answers = Object.entries(responses)
    .filter(([status]) => status !== 'default')
    .map(([status, response]) => `${status} ${answerOf(response)}`.trim());
  return `${where} ${operationId} (${[...named, ...(body ? [`body: ${body}`] : [])].join(', ')}) → ${answers.join('; ')}`;
}

/** A sort by the fields that it takes, which its pattern lists; else the type. */
function parameterType(schema: Schema): string {
  const [, fields] = /^\^\(\?:([\w|]+)\):\(\?:asc\|desc\)/.exec(schema.pattern ?? '') ?? [];
  return fields === undefined ? typeOf(schema) : fields.replaceAll('|', ' | ');
}

/** A response that operations share, by its name; else what it holds. */
const answerOf = (response: Response): string => response.$ref?.split('/').at(-1) ?? contentOf(response);

const contentOf = ({ content = {} }: { readonly content?: Readonly<Record<string, Media>> }): string =>
  Object.values(content)
    .map(({ schema }) => (schema ? typeOf(schema) : 'any'))
    .join(' | ');

function typeOf(schema: Schema): string {
  const { $ref, type, items, properties, required = [], anyOf, oneOf, enum: words } = schema;
  if ($ref !== undefined) return $ref.split('/').at(-1) ?? '';
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (words) return words.map((word) => JSON.stringify(word)).join(' | ');
  if (properties) {
    const fields = Object.entries(properties).map(
      ([name, property]) => `${name}${required.includes(name) ? '!' : ''}: ${typeOf(property)}`,
    );
    return `{ ${fields.join(', ')} }`;
  }
  const parts = anyOf ?? oneOf;
  if (parts) return parts.map(typeOf).join(' | ');
  if (items) return items.enum || items.anyOf ? `(${typeOf(items)})[]` : `${typeOf(items)}[]`;
  return [type ?? 'any'].flat().join(' | ');
}
