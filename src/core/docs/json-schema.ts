import { OpenAPIObject } from './components.js';

type Schema = Record<string, unknown>;
type Parts = Record<string, unknown>;

/**
 * Turns every schema of a document into JSON Schema 2020-12, which OpenAPI 3.1 uses: `nullable` becomes a type, one
 * allowed value a `const`, `example` a list. Schemas that are so already stay as they are. Says what follows from a
 * schema as well: how many bits an integer takes, and how many words of a few there are at most.
 */
export function toJsonSchemas(document: OpenAPIObject): void {
  for (const schema of schemasOf(document)) convert(schema);
}

/** The keys under which a schema holds schemas: one, a list of them, or some by name. */
const ONE = ['items', 'additionalProperties', 'not', 'if', 'then', 'else'];
const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const NAMED = ['properties', 'patternProperties', '$defs'];

function convert(schema: Schema): void {
  const { example } = schema;
  if ('example' in schema) {
    delete schema['example'];
    schema['examples'] ??= [example];
  }
  for (const part of partsOf(schema)) convert(part);
  sayLimits(schema);
  if (Array.isArray(schema['enum']) && schema['enum'].length === 1) {
    schema['const'] = (schema['enum'] as unknown[])[0];
    delete schema['enum'];
  }
  if (schema['nullable'] === true) makeNullable(schema);
  delete schema['nullable'];
}

const MAX_INT32 = 2 ** 31 - 1;

function sayLimits(schema: Schema): void {
  const { type, format, maximum, items, uniqueItems } = schema;
  if (type === 'integer' && format === undefined) {
    schema['format'] = typeof maximum === 'number' && maximum <= MAX_INT32 ? 'int32' : 'int64';
  }
  const words = (items as Schema | undefined)?.['enum'];
  if (type === 'array' && uniqueItems === true && Array.isArray(words)) schema['maxItems'] ??= words.length;
}

function makeNullable(schema: Schema): void {
  const { type, allOf, $ref, const: only, enum: words } = schema;
  if (type === undefined) {
    const inner = $ref === undefined ? (allOf as Schema[] | undefined) : [{ $ref }];
    delete schema['allOf'];
    delete schema['$ref'];
    schema['anyOf'] = [...(inner ?? []), { type: 'null' }];
    return;
  }
  schema['type'] = [...new Set([type, 'null'].flat())];
  if (only !== undefined) {
    delete schema['const'];
    schema['enum'] = [only, null];
  }
  if (Array.isArray(words) && !words.includes(null)) schema['enum'] = [...(words as unknown[]), null];
}

const isObject = (value: unknown): value is Parts =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function partsOf(schema: Schema): Schema[] {
  const lists = LISTS.flatMap((key) => (schema[key] as Schema[] | undefined) ?? []);
  const named = NAMED.flatMap((key) => Object.values((schema[key] as Parts | undefined) ?? {}));
  return [...ONE.map((key) => schema[key]), ...lists, ...named].filter(isObject);
}

/**
 * The outermost schemas of a document, each once: those of the components, and those of parameters, bodies and
 * responses.
 */
function schemasOf(document: OpenAPIObject): Set<Schema> {
  const found = new Set<Schema>(Object.values(document.components?.schemas ?? {}) as Schema[]);
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(visit);
    if (!isObject(node)) return;
    for (const [key, value] of Object.entries(node)) {
      if (key === 'schema' && isObject(value)) found.add(value);
      else if (key !== 'example' && key !== 'examples' && key !== 'schemas') visit(value);
    }
  };
  visit(document.paths);
  visit(document.components);
  return found;
}
