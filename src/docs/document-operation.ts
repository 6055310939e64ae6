import { ErrorType } from '#src/common/errors/catalogue.js';
import { RoutePolicy } from '#src/common/http/route-policy.js';

import { exampleReferences } from './error-schemas.js';
import { OperationObject, ResponseObject, SchemaObject } from './openapi-types.js';
import { errorsOf } from './operation-errors.js';
import { documentParameters } from './parameters.js';
import { headerReferences, headersOf } from './response-headers.js';

/** Completes an operation with what its route's policy implies: errors, headers, 304, access. */
export function documentOperation(operation: OperationObject, method: string, policy: RoutePolicy): void {
  const responses = operation.responses as Record<string, ResponseObject>;
  const { answers, access } = policy;
  if (method === 'GET' && (answers?.kind === 'resource' || answers?.kind === 'list')) {
    responses['304'] = { description: 'The copy at hand is current; there is no body.' };
  }
  documentParameters(operation, method, policy);
  for (const [status, errors] of byStatus(errorsOf(method, policy)))
    responses[status] = errorResponse(status, errors);
  for (const [status, response] of Object.entries(responses)) {
    response.headers = headerReferences(headersOf(Number(status), policy));
  }
  operation.security = access?.isOpen ? [] : SECURITY;
  operation.description = [operation.description, accessSentence(policy)].filter(Boolean).join('\n\n');
}

/** Any one of the schemes will do. */
const SECURITY: Record<string, string[]>[] = [{ bearer: [] }, { basic: [] }, { apiKey: [] }, { session: [] }];

function accessSentence({ access }: RoutePolicy): string {
  if (!access || access.isOpen) return 'Open to everybody.';
  const anonymous = access.isOpenToAnonymousRole ? ' Open to everybody where `ANONYMOUS_ROLE` is set.' : '';
  const own = access.isForOwners ? ' Every user has it for what is theirs; an API key needs to hold it.' : '';
  return `Needs the permission \`${access.permission}\`.${own}${anonymous}`;
}

function byStatus(errors: readonly ErrorType[]): Map<number, ErrorType[]> {
  const groups = new Map<number, ErrorType[]>();
  for (const error of errors) groups.set(error.status, [...(groups.get(error.status) ?? []), error]);
  return groups;
}

function errorResponse(status: number, errors: readonly ErrorType[]): ResponseObject {
  const codes: SchemaObject = {
    type: 'object',
    properties: {
      error: {
        type: 'object',
        properties: { code: { type: 'string', enum: errors.map(({ code }) => code) } },
      },
    },
  };
  const envelope = status === 400 || status === 422 ? 'ErrorWithDetails' : 'Error';
  return {
    description: errors.map(({ code, summary }) => `\`${code}\`: ${summary}`).join('\n\n'),
    content: {
      'application/json': {
        schema: { allOf: [{ $ref: `#/components/schemas/${envelope}` }, codes] },
        examples: exampleReferences(errors),
      },
    },
  };
}
