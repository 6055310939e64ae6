import { AccessRule } from '#src/access/needs.decorator.js';
import { ErrorType } from '#src/common/errors/catalogue.js';
import { RoutePolicy } from '#src/common/http/route-policy.js';

import { OperationObject, ResponseObject, SchemaObject, SecurityRequirement } from './openapi-types.js';
import { errorsOf } from './operation-errors.js';
import { headerReferences, headersOf } from './response-headers.js';

const CONDITIONAL_READ = ['If-None-Match', 'If-Modified-Since'] as const;
const CONDITIONAL_MEANING = {
  'If-None-Match': 'ETags of copies that are at hand: 304 where one is current.',
  'If-Modified-Since':
    'Last-Modified of the copy at hand: 304 where it is current. If-None-Match goes before it.',
};

/** Completes an operation with what its route's policy implies: errors, headers, 304, access. */
export function documentOperation(operation: OperationObject, method: string, policy: RoutePolicy): void {
  const responses = operation.responses as Record<string, ResponseObject>;
  const { answers, access } = policy;
  if (method === 'GET' && (answers?.kind === 'resource' || answers?.kind === 'list')) {
    responses['304'] = { description: 'The copy at hand is current; there is no body.' };
    const names = answers.kind === 'list' ? CONDITIONAL_READ.slice(0, 1) : CONDITIONAL_READ;
    const conditions = names.map((name) => ({
      name,
      in: 'header' as const,
      required: false,
      description: CONDITIONAL_MEANING[name],
      schema: { type: 'string' as const },
    }));
    operation.parameters = [...(operation.parameters ?? []), ...conditions];
  }
  for (const [status, errors] of byStatus(errorsOf(method, policy)))
    responses[status] = errorResponse(status, errors);
  for (const [status, response] of Object.entries(responses)) {
    response.headers = headerReferences(headersOf(Number(status), policy));
  }
  operation.security = securityOf(access);
  operation.description = [operation.description, accessSentence(policy)].filter(Boolean).join('\n\n');
}

/** Any one of the schemes will do. */
const SECURITY: SecurityRequirement[] = [{ bearer: [] }];

function securityOf(access: AccessRule | undefined): SecurityRequirement[] {
  if (!access?.isOpen) return SECURITY;
  // An empty requirement makes the others optional (OpenAPI 3.0, Security Requirement Object).
  return access.isIdentifying ? [{}, ...SECURITY] : [];
}

function accessSentence({ access }: RoutePolicy): string {
  if (!access || access.isOpen) return 'Open to everybody.';
  const { permission, isForStaff, isOpenToAnonymousRole, own } = access;
  const others = isForStaff ? ' and a role of the staff' : '';
  const owner = own?.by === 'path' ? ', or to be that user' : own ? ', or to be the author' : '';
  const anonymous = isOpenToAnonymousRole ? ' Open to everybody where `ANONYMOUS_ROLE` is set.' : '';
  return `Needs the permission \`${permission}\`${others}${owner}.${anonymous}`;
}

function byStatus(errors: readonly ErrorType[]): Map<number, ErrorType[]> {
  const groups = new Map<number, ErrorType[]>();
  for (const error of errors) groups.set(error.status, [...(groups.get(error.status) ?? []), error]);
  return groups;
}

function errorResponse(status: number, errors: readonly ErrorType[]): ResponseObject {
  const hasDetails = status === 400 || status === 422;
  const codes: SchemaObject = {
    type: 'object',
    properties: {
      error: {
        type: 'object',
        properties: { code: { type: 'string', enum: errors.map(({ code }) => code) } },
      },
    },
  };
  const schema = hasDetails ? 'ErrorWithDetails' : 'Error';
  return {
    description: errors.map(({ code, summary }) => `\`${code}\`: ${summary}`).join('\n\n'),
    content: {
      'application/json': {
        schema: { allOf: [{ $ref: `#/components/schemas/${schema}` }, codes] },
        examples: Object.fromEntries(
          errors.map((error) => [error.code, { value: example(error, hasDetails) }]),
        ),
      },
    },
  };
}

function example({ code, status, summary }: ErrorType, hasDetails: boolean): object {
  return { error: { code, message: summary, status, ...(hasDetails && { details: [] }) } };
}
