import { readFileSync } from 'node:fs';

import { errorCatalogue } from '../../packages/core/src/docs/error-catalogue.js';
import { ErrorType } from '../../packages/core/src/http/errors/define-errors.js';
import { errorsIn, undocumentedErrors } from '../../packages/dev/src/laws/errors.js';
import { startInProcess } from '../support/own-app.js';
import { SOURCE_FOLDERS } from '../support/source-folders.js';

/** The router and the parser answer these, so no operation documents them. */
const OF_NO_OPERATION = ['METHOD_NOT_ALLOWED', 'ROUTE_NOT_FOUND', 'UPGRADE_REQUIRED'];
/** No code names it: `genericError()` finds it by its status. */
const THROWN_BY_STATUS = ['PAYLOAD_TOO_LARGE'];

let catalogue: readonly ErrorType[];
let document: { paths: object; components: { responses: object } };

beforeAll(async () => {
  const app = await startInProcess({ DOCS: 'true' });
  catalogue = errorCatalogue(app.app.nest);
  document = (await (await fetch(`${app.baseUrl}/docs/openapi.json`)).json()) as typeof document;
  await app.stop();
});

describe('the catalogue of errors', () => {
  /** The rows of the tables of both pages: code, status, meaning, what to do. */
  const rows = ['packages/core/docs/errors.md', 'docs/errors.md']
    .flatMap((page) => readFileSync(page, 'utf8').split('\n'))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter(([, code = '']) => /^`[A-Z_]+`$/.test(code));

  it('is listed completely and in order in packages/core/docs/errors.md and docs/errors.md', () => {
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

  it('is documented in OpenAPI, each error by an operation that answers it', () => {
    const codes = catalogue.map(({ code }) => code);
    expect(undocumentedErrors(document, codes).sort()).toEqual(OF_NO_OPERATION);
  });

  it('contains all errors that the code declares, and none that nothing throws', () => {
    const { declared, unused } = errorsIn(...SOURCE_FOLDERS);
    expect(declared.sort()).toEqual(catalogue.map(({ code }) => code).sort());
    expect(unused).toEqual(THROWN_BY_STATUS);
  });
});
