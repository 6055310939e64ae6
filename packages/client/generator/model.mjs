import { camel, pascal, singular } from './words.mjs';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const PREFIX = /^\/api\/(v\d+)(\/.*)$/;
/** The operations that the client performs itself: `login()`, `logout()` and the refresh. */
const OF_THE_CORE = new Set(['/login', '/logout', '/auth/refresh']);
const PAGING = new Set(['sort', 'limit', 'page', 'cursor']);

/** Returns the operations of a document by version, each with its resource and name in the client. */
export function operationsOf(document, schemas) {
  const versions = new Map();
  for (const [path, item] of Object.entries(document.paths)) {
    const [, version, below] = PREFIX.exec(path) ?? [];
    if (!version || OF_THE_CORE.has(below)) continue;
    const operations = versions.get(version) ?? [];
    versions.set(version, operations);
    for (const method of METHODS) {
      if (item[method]) operations.push(describe(schemas, method, below, item[method], item.parameters));
    }
  }
  for (const operations of versions.values()) nameAll(operations);
  return versions;
}

function describe(schemas, method, path, operation, shared = []) {
  const parameters = [...shared, ...(operation.parameters ?? [])].map((parameter) =>
    schemas.resolve(parameter),
  );
  const query = parameters.filter(({ in: where }) => where === 'query');
  const body = bodyOf(schemas, operation);
  const success = successOf(schemas, operation);
  const items = itemsOf(schemas, success.schema);
  const segments = path.split('/').slice(1);
  const statics = segments.filter((segment) => !segment.startsWith('{'));
  return {
    method,
    path,
    segments,
    resource: camel(operation.tags?.[0] ?? statics.at(-1)),
    summary: operation.summary,
    description: operation.description,
    ids: idNames(segments),
    body,
    fields: Object.keys(schemas.resolve(body?.schema)?.properties ?? {}),
    filters: query.filter(({ name }) => !items || !PAGING.has(name)),
    sorts: items ? sortsOf(query.find(({ name }) => name === 'sort')) : [],
    items,
    success,
    isKeyed: parameters.some(({ in: where, name }) => where === 'header' && name === 'Idempotency-Key'),
    isConditional: parameters.some(({ in: where, name }) => where === 'header' && name === 'If-Match'),
    refusals: refusalsOf(schemas, operation),
    common: errorsOf(schemas, { responses: { default: operation.responses.default ?? {} } }),
  };
}

/** `/users/{id}/orders/{orderId}` → `userId`, `orderId`; the last `{id}` stays `id`. */
function idNames(segments) {
  return segments.flatMap((segment, index) => {
    const [, name] = /^\{(\w+)\}$/.exec(segment) ?? [];
    if (!name) return [];
    const isOfParent = name === 'id' && index < segments.length - 1;
    return [isOfParent ? `${camel(singular(segments[index - 1]))}Id` : name];
  });
}

/** Returns the schema and the media type of the success response of an operation. */
function successOf(schemas, { responses }) {
  const status = Object.keys(responses).find((code) => /^2/.test(code));
  const content = Object.entries(schemas.resolve(responses[status])?.content ?? {});
  const [type, media] = content.find(([name]) => isJson(name)) ?? content[0] ?? [];
  return { status, type, schema: media?.schema };
}

export const isJson = (type) => /^application\/(\S+\+)?json\b/.test(type ?? '');

function bodyOf(schemas, { requestBody }) {
  if (!requestBody) return undefined;
  const { content, required } = schemas.resolve(requestBody);
  const [type, media] = Object.entries(content).find(([name]) => isJson(name)) ?? Object.entries(content)[0];
  return { type, schema: media.schema, isRequired: required === true };
}

/** Returns the schema of the items of a page, or `undefined` if the schema is not a page. */
function itemsOf(schemas, schema) {
  const page = schemas.resolve(schema);
  if (!page) return undefined;
  const { data, pagination } = page.properties ?? {};
  if (data && pagination) return schemas.resolve(data).items;
  for (const part of [...(page.oneOf ?? []), ...(page.anyOf ?? []), ...(page.allOf ?? [])]) {
    const items = itemsOf(schemas, part);
    if (items) return items;
  }
  return undefined;
}

/** Returns the values of `sort`, from the enum of its items or from the fields in its pattern. */
function sortsOf(parameter) {
  const schema = parameter?.schema ?? {};
  if (schema.items?.enum) return schema.items.enum;
  const [, fields] = /\(?(?:\?:)?((?:\w+\|)*\w+)\)?:\((?:\?:)?(?:asc|desc)/.exec(schema.pattern ?? '') ?? [];
  return fields ? fields.split('|').flatMap((field) => [`${field}:asc`, `${field}:desc`]) : [];
}

/**
 * Returns the error responses that an operation lists: the codes of each with their statuses, and its name if operations
 * share it. The errors that any operation can answer are under `default`.
 */
export function refusalsOf(schemas, { responses }) {
  return Object.entries(responses)
    .filter(([key]) => /^([45]|default)/.test(key))
    .map(([key, response]) => {
      const contents = Object.values(schemas.resolve(response).content ?? {});
      const errors = contents.flatMap(({ schema }) => errorsIn(schemas, schema, Number(key)));
      return { name: response.$ref?.split('/').at(-1), errors: new Map(errors) };
    });
}

/** Returns the codes of all error responses of an operation, with their statuses. */
export const errorsOf = (schemas, operation) =>
  new Map(refusalsOf(schemas, operation).flatMap(({ errors }) => [...errors]));

/**
 * Returns the codes of an error schema with their statuses. The codes are constants or enums, in the schema or its parts.
 *
 * @param fallback the status if the schema has none
 */
export function errorsIn(schemas, schema, fallback) {
  const found = schemas.resolve(schema);
  if (!found) return [];
  const { code, status, error } = found.properties ?? {};
  const parts = ['allOf', 'oneOf', 'anyOf'].flatMap((key) => found[key] ?? []);
  const [wanted, said] = [schemas.resolve(code), schemas.resolve(status)];
  const codes = typeof wanted?.const === 'string' ? [wanted.const] : (wanted?.enum ?? []);
  const own = codes.map((name) => [name, said?.const ?? fallback]);
  const inner = [...(error ? [error] : []), ...parts];
  return [...own, ...inner.flatMap((part) => errorsIn(schemas, part, fallback))];
}

/** Names operations by what they do. If two of a resource do the same, the one with the longer path names its parent. */
function nameAll(operations) {
  const byName = new Map();
  const collections = new Set(operations.filter(({ items }) => items).map(({ path }) => path));
  const shortestFirst = [...operations].sort((a, b) => a.ids.length - b.ids.length);
  for (const operation of shortestFirst) {
    const base = verbOf(operation, collections);
    const candidates = [base, `${base}Of${parentOf(operation)}`, `${operation.method}${pascal(base)}`];
    const name = candidates.find((candidate) => !byName.has(`${operation.resource}.${candidate}`));
    if (!name)
      throw new Error(
        `${operation.method} ${operation.path}: other operations have all its possible names: ${candidates.join(', ')}`,
      );
    operation.name = name;
    byName.set(`${operation.resource}.${name}`, operation);
  }
  for (const operation of operations) {
    const isReadable = operations.some(
      ({ method, path, items }) => method === 'get' && path === operation.path && !items,
    );
    if (operation.name.startsWith('patch') && isReadable)
      operation.update = operation.name.replace('patch', 'update');
  }
}

const ON_ONE = { get: 'get', put: 'replace', patch: 'patch', delete: 'delete' };

function verbOf({ method, path, segments, items, success }, collections) {
  if (items) return 'list';
  const last = segments.at(-1);
  if (last.startsWith('{')) return ON_ONE[method] ?? 'post';
  if (method === 'post' && (collections.has(path) || success.status === '201')) return 'create';
  const tail = camel(last.replace(/\.\w+$/, ''));
  return method === 'get' || method === 'post' ? tail : `${ON_ONE[method]}${pascal(tail)}`;
}

/** `/users/{id}/orders/{orderId}` → `User`. */
function parentOf({ segments }) {
  const statics = segments.filter((segment) => !segment.startsWith('{'));
  return pascal(singular(statics.at(-2) ?? statics[0]));
}
