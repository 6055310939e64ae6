import { apiOf, byResource, importsOf } from './api.mjs';
import { errorTypes } from './errors.mjs';
import { isJson, operationsOf } from './model.mjs';
import { INDEX, manifestOf, newPackage } from './package.mjs';
import { Schemas } from './schemas.mjs';
import { property } from './words.mjs';

const HEAD = '// Generated from the OpenAPI document by `plinth client`. Changes are overwritten.\n\n';

/**
 * Returns the files of the typed client of an API, by their paths in its folder. The TypeScript is not formatted. The
 * files around the generated ones are written only for a new client, and then belong to the application. In an existing
 * `package.json`, only the version and the dependency on this package change.
 *
 * @param document an OpenAPI document, 3.0 or 3.1, of all versions
 * @param options.manifest the text of the existing `package.json`
 * @throws Error if the document has no path below `/api/v1`, or if two operations would get the same name
 */
export function clientFiles(document, { manifest } = {}) {
  const schemas = new Schemas(document);
  const versions = operationsOf(document, schemas);
  if (!versions.has('v1')) throw new Error('the document has no path below /api/v1');
  const api = apiOf(document, schemas, versions);
  const { names, text } = schemas.declarations();
  const generated = {
    'operations.ts': tableOf(versions),
    'errors.ts': errorTypes(document, schemas, versions),
    'api.ts': `${importsOf(api, names)}\n${api}`,
    'schemas.ts': text,
    'index.ts': INDEX,
  };
  const own = manifest === undefined ? newPackage(document.info) : { 'package.json': manifest };
  return new Map([
    ...Object.entries({ ...own, 'package.json': manifestOf(document.info, own['package.json']) }),
    ...Object.entries(generated).map(([name, code]) => [`src/generated/${name}`, HEAD + code]),
  ]);
}

/**
 * Returns the table of operations: `const v1 = { products: { get: ' GET /products/{id}' } }`. A later version has only
 * the differences from the previous one.
 */
function tableOf(versions) {
  const tables = [...versions].map(([version, operations]) => {
    const resources = [...byResource(operations)].map(([resource, own]) => [
      resource,
      own.flatMap(rowsOf).join(''),
    ]);
    return { version, resources: new Map(resources) };
  });
  const texts = tables.map(({ version, resources }, index) => {
    const before = tables[index - 1];
    const goesOn = before && [...before.resources.keys()].every((resource) => resources.has(resource));
    const own = [...resources].filter(
      ([resource, rows]) => !goesOn || before.resources.get(resource) !== rows,
    );
    const members = own.map(([resource, rows]) => `${property(resource)}: {\n${rows}},\n`);
    return `const ${version} = { ${goesOn ? `...${before.version},` : ''}${members.join('')} } as const;\n`;
  });
  const names = [...versions.keys()].join(', ');
  return `${texts.join('\n')}\n/** Flags, method, path and fields of each operation; see \`Operation\`. */\nexport const operations = { ${names} };\n`;
}

function rowsOf({ name, update, method, path, body, fields, filters, items, isKeyed, success }) {
  const flags = items
    ? 'l'
    : `${body ? 'b' : ''}${filters.length > 0 && !body ? 'q' : ''}${isKeyed ? 'k' : ''}${success.type && !isJson(success.type) ? 't' : ''}`;
  const rest = `${method.toUpperCase()} ${path}`;
  return [
    `${property(name)}: '${flags} ${rest}${update ? ` ${fields.join(',')}` : ''}',\n`,
    ...(update ? [`${property(update)}: 'u ${rest}',\n`] : []),
  ];
}
