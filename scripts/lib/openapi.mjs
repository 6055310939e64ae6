import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { alone } from './alone.mjs';
import { ensureBuilt, STAMP } from './build.mjs';
import { inRoot } from './paths.mjs';
import { runNode } from './run.mjs';

/** The OpenAPI document of the code as it is, after `ensureDocument()`. */
export const DOCUMENT = inRoot('dist/openapi.json');
const DOCUMENT_STAMP = inRoot('dist/.openapi-stamp');

/** Builds the service and its OpenAPI document, unless dist/ holds just these. @throws Error where that fails */
export async function ensureDocument() {
  await ensureBuilt();
  if (isCurrent()) return;
  await alone('document', async () => {
    if (isCurrent()) return;
    const stamp = currentStamp();
    rmSync(DOCUMENT_STAMP, { force: true });
    // Who reads the document meanwhile finds it whole: the one before, or this one.
    const written = `${DOCUMENT}.new`;
    const { code, output } = await runNode([inRoot('dist/tools/openapi/openapi.js'), written], {
      quiet: true,
    });
    if (code !== 0) throw new Error(`the OpenAPI document could not be built:\n${output}`);
    renameSync(written, DOCUMENT);
    writeFileSync(DOCUMENT_STAMP, stamp);
  });
}

const isCurrent = () =>
  existsSync(DOCUMENT) &&
  existsSync(DOCUMENT_STAMP) &&
  readFileSync(DOCUMENT_STAMP, 'utf8') === currentStamp();

export const readDocument = () => JSON.parse(readFileSync(DOCUMENT, 'utf8'));

/** Of the code, and of the release, which the document names. */
const currentStamp = () =>
  createHash('sha256')
    .update(readFileSync(STAMP))
    .update(readFileSync(inRoot('package.json')))
    .digest('hex');
