import { isJson } from './model.mjs';
import { wrapped } from './schemas.mjs';
import { comment, pascal, property } from './words.mjs';

/** Types of the runtime that the declarations of operations use. */
const RUNTIME = ['Change', 'CreateOptions', 'List', 'ListQuery', 'RequestOptions', 'Result', 'WriteOptions'];

/**
 * Returns the interfaces of the versions and of their resources. Versions share the interface of a resource that is the
 * same in them. Paragraphs that describe several resources, and access, are omitted, because they would be repeated.
 */
export function apiOf(document, schemas, versions) {
  const declared = new Declarations();
  const isOwn = isOfOneResource(versions);
  const apis = [...versions].map(([version, operations]) => {
    const members = [...byResource(operations)].map(([resource, own]) => {
      const methods = own
        .map((operation) => methodsOf({ schemas, declared, version, isOwn }, operation, own))
        .join('\n');
      const type = declared.add(
        `${pascal(resource)}Resource`,
        version,
        (name) => `export interface ${name} {\n${methods}}\n`,
      );
      return `  readonly ${property(resource)}: ${type};\n`;
    });
    return `  readonly ${version}: {\n${members.join('')}};\n`;
  });
  const all = `/** The resources of each version. */\nexport interface Api {\n${apis.join('')}}\n`;
  return [...declared.texts(), loginOf(document, schemas), all].join('\n');
}

/** Returns the imports of the interfaces, with only the schemas that they use. */
export function importsOf(api, names) {
  const isUsed = (name) => new RegExp(`\\b${name}\\b`).test(api);
  return [
    [RUNTIME.filter(isUsed), '@plinth/client'],
    [names.filter(isUsed), './schemas.js'],
  ]
    .filter(([used]) => used.length > 0)
    .map(([used, from]) => `import type { ${used.join(', ')} } from '${from}';\n`)
    .join('');
}

export function byResource(operations) {
  const resources = new Map();
  for (const operation of operations) {
    resources.set(operation.resource, [...(resources.get(operation.resource) ?? []), operation]);
  }
  return resources;
}

/** Declarations by name. If a later version declares something differently, its name ends in the version. */
class Declarations {
  #texts = new Map();

  add(name, version, write) {
    for (const candidate of [name, name + pascal(version)]) {
      const text = write(candidate);
      if ((this.#texts.get(candidate) ?? text) !== text) continue;
      this.#texts.set(candidate, text);
      return candidate;
    }
    throw new Error(`${name} of ${version} is declared twice`);
  }

  has(name, write) {
    return this.#texts.get(name) === write(name);
  }

  texts() {
    return [...this.#texts.values()];
  }
}

/** Returns the type of the response of `login()`. */
function loginOf(document, schemas) {
  const login = Object.entries(document.paths).find(([path]) => /^\/api\/v\d+\/login$/.test(path))?.[1].post;
  const schema = login && schemas.resolve(login.responses['200']).content['application/json'].schema;
  return `/** The response of \`login()\`. */\nexport type LoginResponse = ${schemas.typeOf(schema)};\n`;
}

/** Returns a predicate that is true for paragraphs that describe operations of only one resource. */
function isOfOneResource(versions) {
  const resources = new Map();
  for (const { resource, description = '' } of [...versions.values()].flat()) {
    for (const paragraph of paragraphsOf(description))
      resources.set(paragraph, (resources.get(paragraph) ?? new Set()).add(resource));
  }
  return (paragraph) => resources.get(paragraph).size === 1 && !paragraph.startsWith('**Access:**');
}

const paragraphsOf = (description = '') => description.split(/\n{2,}/);

function methodsOf({ schemas, declared, version, isOwn }, operation, siblings) {
  const { name, ids, items, update, body } = operation;
  const options = operation.isKeyed
    ? 'CreateOptions'
    : operation.isConditional
      ? 'WriteOptions'
      : 'RequestOptions';
  const path = ids.map((id) => `${id}: number, `).join('');
  const input = body ? bodyParameter(schemas, body) : queryParameter(schemas, declared, version, operation);
  const result = items
    ? `List<${schemas.typeOf(items)}>`
    : `Promise<Result<${resultOf(schemas, operation)}>>`;
  const method = `${documentation(operation, isOwn)}  ${property(name)}(${path}${input}options?: ${options}): ${result};\n`;
  if (!update) return method;
  const current = siblings.find((other) => other.method === 'get' && other.path === operation.path);
  const type = schemas.typeOf(body.schema);
  const change = `change: Change<${resultOf(schemas, current)}, ${type}>`;
  return `${method}
  /** Reads, calls \`change\`, and writes. Starts again if somebody else has written in between. */
  ${property(update)}(${path}${change}, options?: RequestOptions): ${result};\n`;
}

function bodyParameter(schemas, { type, schema, isRequired }) {
  return `body${isRequired ? '' : '?'}: ${isJson(type) ? schemas.typeOf(schema) : 'FormData | Blob'}, `;
}

/** Returns the type of a parameter. If the parameter can be repeated, this is a value or an array. */
function parameterType(schemas, schema) {
  const { type, items } = schemas.resolve(schema);
  if (type !== 'array') return schemas.typeOf(schema);
  const item = schemas.typeOf(items);
  return `${item} | readonly ${wrapped(item)}[]`;
}

/** Declares a type for the query of an operation. */
function queryParameter(schemas, declared, version, { resource, name, items, filters, sorts }) {
  if (!items && filters.length === 0) return '';
  const members = filters.map(({ name: filter, description, required, schema }) => {
    const type = parameterType(schemas, schema);
    const about = comment([description], '  ');
    return `${about}  readonly ${property(filter)}${required ? '' : '?'}: ${type}${required ? '' : ' | undefined'};\n`;
  });
  const prefix = pascal(resource);
  // A list below a parent mostly has the same query as the list of all rows, so they share a type.
  const declare = (kind, write) =>
    declared.has(`${prefix}${kind}`, write)
      ? `${prefix}${kind}`
      : declared.add(`${prefix}${pascal(name.replace(/^list/, ''))}${kind}`, version, write);
  let base = '';
  if (items) {
    const literals = sorts.map((sort) => `'${sort}'`).join(' | ') || 'never';
    base = ` extends ListQuery<${declare('Sort', (type) => `export type ${type} = ${literals};\n`)}>`;
  }
  const write = (type) =>
    members.length === 0 && items
      ? `export type ${type} = ${base.replace(' extends ', '')};\n`
      : `export interface ${type}${base} {\n${members.join('')}}\n`;
  const type = declare('Query', write);
  return `query${filters.some(({ required }) => required) ? '' : '?'}: ${type}, `;
}

function resultOf(schemas, { success: { type, schema } }) {
  if (type === undefined) return 'undefined';
  if (isJson(type)) return schemas.typeOf(schema);
  if (type.startsWith('text/event-stream')) return 'ReadableStream<Uint8Array>';
  return type.startsWith('text/') ? 'string' : 'Blob';
}

/** The statuses of errors that callers handle for a single operation. Other errors can come from any operation. */
const OF_THE_OPERATION = [404, 409, 412, 422];

function documentation({ summary, description, refusals, common }, isOwn) {
  const own = refusals
    .flatMap(({ errors }) => [...errors])
    .filter(([code, status]) => OF_THE_OPERATION.includes(status) && !common.has(code))
    .map(([code]) => `\`${code}\``);
  const title = summary ? `${summary.replace(/\.$/, '')}.` : '';
  const paragraphs = paragraphsOf(description).filter(isOwn);
  return comment([title, ...paragraphs, own.length > 0 ? `@throws ApiError ${own.join(', ')}` : ''], '  ');
}
