import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { ensureBuilt, STAMP } from './build.mjs';
import { inRoot } from './paths.mjs';
import { runNode } from './run.mjs';

/** The OpenAPI document of the code as it is, after `ensureDocument()`. */
export const DOCUMENT = inRoot('dist/openapi.json');
const DOCUMENT_STAMP = inRoot('dist/.openapi-stamp');

/** Builds the service and its OpenAPI document, unless dist/ holds just these. @throws Error where that fails */
export async function ensureDocument() {
  await ensureBuilt();
  const stamp = currentStamp();
  if (existsSync(DOCUMENT) && existsSync(DOCUMENT_STAMP) && readFileSync(DOCUMENT_STAMP, 'utf8') === stamp)
    return;
  rmSync(DOCUMENT_STAMP, { force: true });
  const { code, output } = await runNode([inRoot('dist/tools/openapi/openapi.js'), DOCUMENT], {
    quiet: true,
  });
  if (code !== 0) throw new Error(`the OpenAPI document could not be built:\n${output}`);
  writeFileSync(DOCUMENT_STAMP, stamp);
}

export const readDocument = () => JSON.parse(readFileSync(DOCUMENT, 'utf8'));

/** Of the code, and of the release, which the document names. */
const currentStamp = () =>
  createHash('sha256')
    .update(readFileSync(STAMP))
    .update(readFileSync(inRoot('package.json')))
    .digest('hex');
