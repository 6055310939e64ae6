import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { format } from 'oxfmt';
import { inRoot } from './paths.mjs';
import { generate } from '../../clients/typescript/generator/generate.mjs';

const GENERATED = 'clients/typescript/src/generated';
/** Files that call the package by its name, beside its own package.json. */
const NAMING = [
  'clients/typescript/README.md',
  'clients/typescript/test/types/tsconfig.json',
  'clients/typescript/test/types/types.ts',
  'clients/example/tsconfig.json',
  'clients/example/src/main.ts',
  'docs/typescript-client.md',
];

/**
 * The files of the client that follow from the OpenAPI document and from the name of the package, by their paths in the
 * project.
 */
export async function clientFiles(document, packageName) {
  const options = JSON.parse(readFileSync(inRoot('.oxfmtrc.json'), 'utf8'));
  const files = new Map();
  for (const [name, text] of Object.entries(generate(document))) {
    const { code, errors } = await format(name, text, options);
    if (errors.length > 0) throw new Error(`${name}: ${errors[0].message}`);
    files.set(`${GENERATED}/${name}`, code);
  }
  const manifest = readFileSync(inRoot('clients/typescript/package.json'), 'utf8');
  const oldName = JSON.parse(manifest).name;
  for (const path of ['clients/typescript/package.json', ...NAMING]) {
    files.set(path, readFileSync(inRoot(path), 'utf8').replaceAll(oldName, packageName));
  }
  return files;
}

/** Those of the files whose content on disk is another one. */
export function changedFiles(files) {
  return [...files].filter(([path, text]) => contentOf(path) !== text).map(([path]) => path);
}

/** Those whose code is another one: another wording in the document does not make the client wrong. */
export function outdatedFiles(files) {
  const codeOf = (text = '') => text.replaceAll(/\/\*\*[^]*?\*\//g, '').replaceAll(/\s+/g, ' ');
  return changedFiles(files).filter((path) => codeOf(contentOf(path)) !== codeOf(files.get(path)));
}

export function writeFiles(files) {
  mkdirSync(inRoot(GENERATED), { recursive: true });
  for (const [path, text] of files) writeFileSync(inRoot(path), text);
}

function contentOf(path) {
  try {
    return readFileSync(inRoot(path), 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}
