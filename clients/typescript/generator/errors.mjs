import { errorsOf } from './model.mjs';

/** Operations of the client itself, by the end of their paths. */
const OF_THE_CORE = { '/login': 'login', '/logout': 'logout', '/auth/refresh': 'refresh' };

/** All codes with their status, and the codes of each operation. */
export function errorTypes(document, schemas, versions) {
  const operations = new Map();
  const statuses = new Map();
  const add = (name, errors) => {
    const codes = operations.get(name) ?? new Set();
    operations.set(name, codes);
    for (const [code, status] of errors) {
      codes.add(code);
      statuses.set(code, status);
    }
  };
  for (const own of versions.values()) {
    for (const { resource, name, update, path, errors } of own) {
      add(`${resource}.${name}`, errors);
      if (!update) continue;
      const read = own.find((other) => other.method === 'get' && other.path === path);
      add(`${resource}.${update}`, [...errors, ...read.errors]);
    }
  }
  for (const [path, item] of Object.entries(document.paths)) {
    const name = OF_THE_CORE[path.replace(/^\/api\/v\d+/, '')];
    if (name && item.post) add(name, errorsOf(schemas, item.post));
  }
  return write(operations, statuses);
}

function write(operations, statuses) {
  const sets = [...operations.values()];
  const common = [...statuses.keys()].filter((code) => sets.every((codes) => codes.has(code))).sort();
  const union = (types) => types.join(' | ') || 'never';
  const literals = (codes) => codes.sort().map((code) => `'${code}'`);
  const rows = [...operations].map(([name, codes]) => {
    const own = literals([...codes].filter((code) => !common.includes(code)));
    return `  '${name}': ${union(['CommonError', ...own])};\n`;
  });
  const byCode = [...statuses]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, status]) => `  ${code}: ${status};\n`);
  return `/** The status of each code. */
export interface ErrorStatus {\n${byCode.join('')}}\n
/** The codes of all errors. */
export type ErrorCode = keyof ErrorStatus;\n
/** What every operation can answer. */
export type CommonError = ${union(literals(common))};\n
/** The codes of each operation. */
export interface OperationErrors {\n${rows.join('')}}\n`;
}
