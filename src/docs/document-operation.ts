import '../access/require-permission.decorator.js';
import { ErrorType } from '../http/errors/catalogue.js';
import { genericError } from '../http/errors/generic.errors.js';
import { RoutePolicy } from '../http/route-policy.js';
import { exampleReferences } from './error-schemas.js';
import { OperationObject, ResponseObject, SchemaObject, SecurityRequirement } from './openapi-types.js';
import { DocumentedRoute, errorsOf } from './operation-errors.js';
import { documentParameters } from './parameters.js';
import { documentContent } from './response-content.js';
import { headerReferences, headersOf } from './response-headers.js';

/** Completes an operation with what its route's policy implies: errors, headers, 304, access. */
export function documentOperation(operation: OperationObject, route: DocumentedRoute): void {
  const { method, policy } = route;
  const responses = operation.responses as Record<string, ResponseObject>;
  const { answers } = policy;
  if (method === 'GET' && (answers?.kind === 'resource' || answers?.kind === 'list')) {
    responses['304'] = { description: 'The copy at hand is current; there is no body.' };
  }
  documentParameters(operation, method, policy);
  if (!answers) documentContent(responses, policy);
  const errors = new Set([...errorsOf(route), ...declaredErrors(responses)]);
  for (const [status, ofStatus] of byStatus([...errors])) {
    const said = responses[status]?.description;
    responses[status] = errorResponse(status, ofStatus);
    if (said) responses[status].description = `${said}\n\n${responses[status].description}`;
  }
  for (const [status, response] of Object.entries(responses)) {
    response.headers = headerReferences(headersOf(Number(status), policy));
  }
  operation.security = securityOf(route);
  operation.description = [operation.description, accessSentence(policy)].filter(Boolean).join('\n\n');
}

/** Any one of the schemes of the route will do. */
function securityOf({ policy, schemes }: DocumentedRoute): SecurityRequirement[] {
  const requirements = schemes.of(policy.schemes).map(({ documentName }) => ({ [documentName]: [] }));
  if (!policy.access?.isPublic) return requirements;
  // An empty requirement makes the others optional (OpenAPI 3.0, Security Requirement Object).
  return policy.access.isIdentifying ? [{}, ...requirements] : [];
}

function accessSentence({ access }: RoutePolicy): string {
  if (!access || access.isPublic) return 'Open to everybody.';
  const { permission, isForStaff, isOpenToAnonymousRole, own } = access;
  const others = isForStaff ? ' and a role of the staff' : '';
  const owner =
    own?.by === 'path' ? ', or to be that user' : own ? ', except for what is the user’s own' : '';
  const anonymous = isOpenToAnonymousRole ? ' Open to everybody where `ANONYMOUS_ROLE` is set.' : '';
  const key = own ? ' An API key needs to hold the permission.' : '';
  return `Needs the permission \`${permission}\`${others}${owner}.${key}${anonymous}`;
}

/** The errors that a route documents by `@ApiNotFoundResponse()` and the like: it throws them by NestJS's exceptions. */
const declaredErrors = (responses: Readonly<Record<string, unknown>>): ErrorType[] =>
  Object.keys(responses)
    .map(Number)
    .filter((status) => status >= 400)
    .map(genericError);

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
