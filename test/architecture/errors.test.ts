import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { errorCatalogue, ErrorType } from '../../packages/core/src/http/errors/catalogue.js';
import { startApp } from '../support/app.js';
import { SOURCE_FOLDERS } from '../support/source-folders.js';

/** The router's and the parser's belong to no operation. */
const OF_NO_OPERATION = ['METHOD_NOT_ALLOWED', 'ROUTE_NOT_FOUND', 'UPGRADE_REQUIRED'];
/** `genericError()` finds it by its status. */
const THROWN_BY_STATUS = ['PAYLOAD_TOO_LARGE'];

const sources = SOURCE_FOLDERS.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => ({ file: join(folder, file), text: readFileSync(join(folder, file), 'utf8') })),
);

/** What a file does with errors: without imports, without documenting them, without declaring them. */
function useIn(text: string): string {
  return text
    .replaceAll(/^import [^;]*;/gm, '')
    .replaceAll(/@ApiErrorResponse\([^)]*\)/g, '')
    .replaceAll(/const \{[^}]*\} = defineErrors\(\{[^}]*\}\)/g, '');
}

let catalogue: readonly ErrorType[];
let document: { paths: object; components: { responses: object } };

beforeAll(async () => {
  // All of them, those of modules that nothing imports as well.
  for (const { file } of sources) if (file.endsWith('.errors.ts')) await import(file);
  catalogue = errorCatalogue();
  const app = await startApp({ DOCS: 'true' });
  document = (await (await fetch(`${app.baseUrl}/docs/openapi.json`)).json()) as typeof document;
  await app.stop();
});

describe('the catalogue of errors', () => {
  /** The rows of the tables of the base and of the application: code, status, meaning, what to do. */
  const rows = ['packages/core/docs/errors.md', 'docs/errors.md']
    .flatMap((page) => readFileSync(page, 'utf8').split('\n'))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter(([, code = '']) => /^`[A-Z_]+`$/.test(code));

  it('is what packages/core/docs/errors.md and docs/errors.md list, in order', () => {
    const documented = rows
      .map(([, code = '', status = '', meaning]) => ({ code, status, meaning }))
      .sort(
        (a, b) => Number(a.status) - Number(b.status) || (a.code.slice(1, -1) < b.code.slice(1, -1) ? -1 : 1),
      );
    const declared = catalogue.map(({ code, status, summary }) => ({
      code: `\`${code}\``,
      status: String(status),
      meaning: summary,
    }));
    expect(documented).toEqual(declared);
  });

  it('is in the OpenAPI document, each with an operation that answers it', () => {
    // What operations share is in the components, and what is there is used: the document's own test says so.
    const text = JSON.stringify([document.paths, document.components.responses]);
    const missing = catalogue.map(({ code }) => code).filter((code) => !text.includes(`"${code}"`));
    expect(missing.sort()).toEqual(OF_NO_OPERATION.sort());
  });

  it('holds nothing that is thrown nowhere', () => {
    const uses = sources
      .filter(({ file }) => !file.startsWith('docs/'))
      .map(({ text }) => useIn(text))
      .join('\n');
    const codes = catalogue.map(({ code }) => code);
    expect(codes.filter((code) => !new RegExp(`\\b${code}\\b`).test(uses))).toEqual(THROWN_BY_STATUS);
  });
});
