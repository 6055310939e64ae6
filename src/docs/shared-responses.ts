import { STATUS_CODES } from 'node:http';

import { OpenAPIObject, OperationObject, ReferenceObject, ResponseObject } from './openapi-types.js';

/**
 * Moves the error responses to the components, alike ones as one, and leaves references in the operations: most
 * operations fail in the same ways. They are named after their status, variants with a number.
 */
export function shareErrorResponses(document: OpenAPIObject, operations: readonly OperationObject[]): void {
  const shared: Record<string, ResponseObject> = {};
  const names = new Map<string, string>();
  for (const { responses } of operations) {
    for (const [status, response] of Object.entries(responses) as [string, ResponseObject][]) {
      if (Number(status) < 400) continue;
      const content = JSON.stringify(response);
      const name = names.get(content) ?? freeName(status, shared);
      names.set(content, name);
      shared[name] = response;
      (responses as Record<string, ReferenceObject>)[status] = { $ref: `#/components/responses/${name}` };
    }
  }
  document.components = { ...document.components, responses: shared };
}

/** `404` → `NotFound`, `NotFound2`, … */
function freeName(status: string, taken: Readonly<Record<string, unknown>>): string {
  const phrase = (STATUS_CODES[status] ?? status).replaceAll(/[^A-Za-z]/g, '');
  for (let number = 1; ; number++) {
    const name = number === 1 ? phrase : `${phrase}${number}`;
    if (!(name in taken)) return name;
  }
}
