import { ErrorType } from '../http/errors/catalogue.js';
import { genericError } from '../http/errors/generic.errors.js';
import { describeOperation, documentedAccess } from './describe-operation.js';
import { COMMON_RESPONSE, ErrorResponses } from './error-responses.js';
import {
  MediaTypeObject,
  OperationObject,
  ReferenceObject,
  ResponseObject,
  SecurityRequirement,
} from './components.js';
import { DocumentedRoute, errorsOf } from './operation-errors.js';
import { documentParameters } from './parameters.js';
import { headerReferences, headersOf } from './response-headers.js';
import { RoutePolicy } from '../http/route-policy.js';
import '../access/require-permission.decorator.js';
import '../http/negotiation/produces.decorator.js';
import { collectionOf } from '../resources/resource.js';
import { singularOf, withArticle } from '../resources/words.js';

/**
 * Completes an operation with what its route's policy implies: errors, headers, 304, access.
 *
 * @returns the errors that it lists itself
 */
export function documentOperation(
  operation: OperationObject,
  route: DocumentedRoute,
  errorResponses: ErrorResponses,
): readonly ErrorType[] {
  const { method, policy } = route;
  const responses = operation.responses as Record<string, ResponseObject>;
  const { answers } = policy;
  if (method === 'GET' && (answers?.kind === 'resource' || answers?.kind === 'list')) {
    responses['304'] = { description: 'Your copy is current. There is no body.' };
  }
  documentParameters(operation, method, policy);
  if (!answers) documentContent(responses, policy);
  const { common } = errorResponses;
  const errors = [...new Set([...errorsOf(route), ...declaredErrors(responses)])].filter(
    (error) => error.status < 500 || !common.includes(error),
  );
  for (const [status, response] of Object.entries(responses)) {
    const names = headersOf(policy);
    if (Number(status) < 400 && names.length > 0) response.headers = headerReferences(names);
  }
  operation.responses = {
    ...responses,
    ...errorsByStatus(responses, errors, errorResponses),
    default: { $ref: `#/components/responses/${COMMON_RESPONSE}` },
  };
  operation.security = securityOf(route);
  const access = documentedAccess(policy);
  if (access) operation['x-access'] = access;
  // Pages show summaries as plain text.
  operation.summary = (operation.summary || summaryOf(method, policy)).replaceAll('`', '');
  operation.description = describeOperation(operation.description, route);
  return errors;
}

/** The responses of errors; what the route says of one itself comes before the codes. */
function errorsByStatus(
  declared: Readonly<Record<string, ResponseObject>>,
  errors: readonly ErrorType[],
  errorResponses: ErrorResponses,
): Record<string, ResponseObject | ReferenceObject> {
  const responses: Record<string, ResponseObject | ReferenceObject> = {};
  for (const [status, own] of byStatus(errors)) {
    const said = declared[status]?.description;
    responses[status] = said ? errorResponses.written(own, said) : errorResponses.of(own);
  }
  return responses;
}

/** Any one of the schemes of the route will do. */
function securityOf({ policy, schemes }: DocumentedRoute): SecurityRequirement[] {
  const requirements = schemes.all.map(({ documentName }) => ({ [documentName]: [] }));
  if (!policy.access?.isPublic) return requirements;
  // An empty requirement makes the others optional (OpenAPI 3.1, Security Requirement Object).
  return policy.access.isIdentifying ? [{}, ...requirements] : [];
}

/**
 * The errors that a route documents by `@ApiNotFoundResponse()` and the like: it throws them by NestJS's exceptions.
 */
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

/** Statuses of success that have no body (RFC 9110 §15.3.5, §15.3.6). */
const EMPTY = ['204', '205'];

/**
 * Completes the content of what an ordinary route answers: the media types that it produces, and JSON of any form where
 * it does not say.
 */
export function documentContent(responses: Record<string, ResponseObject>, { produces }: RoutePolicy): void {
  for (const [status, response] of Object.entries(responses)) {
    if (!status.startsWith('2') || EMPTY.includes(status)) continue;
    response.description ||= 'OK.';
    const json = response.content?.['application/json'] ?? { schema: {} };
    if (!produces && response.content) continue;
    const types = produces ?? ['application/json'];
    response.content = Object.fromEntries(types.map((type) => [type, contentOf(type, json)]));
  }
}

function contentOf(type: string, json: MediaTypeObject): MediaTypeObject {
  if (/^application\/(json|.+\+json)$/.test(type)) return json;
  if (type.startsWith('text/')) return { schema: { type: 'string' } };
  return { schema: { type: 'string', format: 'binary' } };
}

const VERBS: Readonly<Record<string, string>> = {
  GET: 'Read',
  POST: 'Create',
  PUT: 'Replace',
  PATCH: 'Change some fields of',
  DELETE: 'Delete',
};

/**
 * The summary of a resource's route: `List products`, `Read a product`, `Change some fields of a review of a product`.
 */
export function summaryOf(method: string, { resource, list }: RoutePolicy): string {
  if (!resource) return '';
  const segments = resource.path.split('/');
  const parent = segments.slice(0, -1).findLast((segment) => !segment.startsWith(':'));
  // Under its parent, it needs no other name than the path's.
  const collection = (parent ? segments.at(-1) : collectionOf(resource))?.replaceAll('-', ' ') ?? '';
  const of = parent ? ` of ${withArticle(singularOf(parent).replaceAll('-', ' '))}` : '';
  if (list) return `List ${of ? 'the ' : ''}${collection}${of}`;
  return `${VERBS[method] ?? method} ${withArticle(singularOf(collection))}${of}`;
}
