import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { clientFiles } from '@plinth/client/generator';
import { format } from 'oxfmt';
import { inRoot } from './paths.mjs';

/** The files of client/ that follow from the OpenAPI document, formatted, by their paths in the project. */
export async function projectFiles(document) {
  const options = JSON.parse(readFileSync(inRoot('.oxfmtrc.json'), 'utf8'));
  const files = new Map();
  for (const [name, text] of clientFiles(document, { manifest: contentOf('client/package.json') })) {
    const { code, errors } = await format(name, text, options);
    if (errors.length > 0) throw new Error(`${name}: ${errors[0].message}`);
    files.set(`client/${name}`, code);
  }
  return files;
}

/** Those of the files whose content on disk is another one. */
export const changedFiles = (files) =>
  [...files.keys()].filter((path) => contentOf(path) !== files.get(path));

/** Those whose code is another one: another wording in the document does not make the client wrong. */
export function outdatedFiles(files) {
  const codeOf = (text = '') => text.replaceAll(/\/\*\*[^]*?\*\//g, '').replaceAll(/\s+/g, ' ');
  return changedFiles(files).filter((path) => codeOf(contentOf(path)) !== codeOf(files.get(path)));
}

export function writeFiles(files) {
  for (const [path, text] of files) {
    mkdirSync(dirname(inRoot(path)), { recursive: true });
    writeFileSync(inRoot(path), text);
  }
}

const contentOf = (path) => (existsSync(inRoot(path)) ? readFileSync(inRoot(path), 'utf8') : undefined);
