import { refusalsOf } from './model.mjs';

/** The operations of the client itself, by the end of their paths. */
const OF_THE_CORE = { '/login': 'login', '/logout': 'logout', '/auth/refresh': 'refresh' };

/** Returns the types of all codes with their status, and of the codes of each operation. */
export function errorTypes(document, schemas, versions) {
  const operations = new Map();
  const add = (name, refusals) => operations.set(name, [...(operations.get(name) ?? []), ...refusals]);
  for (const own of versions.values()) {
    for (const { resource, name, update, path, refusals } of own) {
      add(`${resource}.${name}`, refusals);
      if (!update) continue;
      const read = own.find((other) => other.method === 'get' && other.path === path);
      add(`${resource}.${update}`, [...refusals, ...read.refusals]);
    }
  }
  for (const [path, item] of Object.entries(document.paths)) {
    const name = OF_THE_CORE[path.replace(/^\/api\/v\d+/, '')];
    if (name && item.post) add(name, refusalsOf(schemas, item.post));
  }
  return write(operations);
}

function write(operations) {
  const all = [...operations.values()].flat();
  const statuses = new Map(all.flatMap(({ errors }) => [...errors]));
  const sets = [...operations.values()].map((refusals) => new Set(refusals.flatMap(codesOf)));
  const common = new Set([...statuses.keys()].filter((code) => sets.every((codes) => codes.has(code))));
  const isOwn = (code) => !common.has(code);
  const shared = new Map(
    all.filter(({ name }) => name).map((refusal) => [nameOf(refusal), codesOf(refusal).filter(isOwn)]),
  );
  for (const [name, codes] of shared) if (codes.length < 2) shared.delete(name);
  const rows = [...operations].map(([name, refusals]) => {
    const [named, others] = partition(refusals, (refusal) => shared.has(nameOf(refusal)));
    const types = [...new Set(named.map(nameOf))].sort();
    const listed = new Set(named.flatMap(codesOf));
    const own = others.flatMap(codesOf).filter((code) => isOwn(code) && !listed.has(code));
    return `  '${name}': ${union(['CommonError', ...types, ...literals(own)])};\n`;
  });
  const byCode = [...statuses]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, status]) => `  ${code}: ${status};\n`);
  return `import type { ApiErrorOf } from '@plinth/client';\n
/** The status of each code. */
export interface ErrorStatus {\n${byCode.join('')}}\n
/** The codes of all errors. */
export type ErrorCode = keyof ErrorStatus;\n
/** The codes that every operation can answer. */
export type CommonError = ${union(literals([...common]))};\n
${[...shared].map(([name, codes]) => `type ${name} = ${union(literals(codes))};\n`).join('')}
/** The codes of each operation. */
export interface OperationErrors {\n${rows.join('')}}\n
/** The errors of an operation: \`ErrorOf<'orders.create'>\`. */
export type ErrorOf<Operation extends keyof OperationErrors> = ApiErrorOf<ErrorStatus, OperationErrors[Operation]>;\n`;
}

const codesOf = ({ errors }) => [...errors.keys()];

/** Returns the name of the type for the codes of a shared response: `Unauthorized` → `UnauthorizedCode`. */
const nameOf = ({ name }) => `${name}Code`;

const union = (types) => types.join(' | ') || 'never';
const literals = (codes) => [...new Set(codes)].sort().map((code) => `'${code}'`);

const partition = (values, test) => [values.filter(test), values.filter((value) => !test(value))];
