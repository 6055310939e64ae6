import { getSchemaPath } from '@nestjs/swagger';

import { AuthSchemes } from '../access/schemes/auth-schemes.js';
import { CSV_TYPE } from '../http/negotiation/media-types.js';
import { RoutePolicy } from '../routes/route-policy.js';
import { Responses } from './error-responses.js';
import { DocumentedOperation, MediaTypeObject, OperationObject, ResponseObject } from './openapi.js';
import { buildParameters } from './operation-parameters.js';
import { buildDescription, buildSummary } from './operation-texts.js';
import { headerReferences, KINDS_WITH_ENTITY_TAG, successHeaders } from './response-headers.js';

/** Adds responses, parameters, access and texts to an operation that Swagger found, by the policy of its route. */
export function documentOperation(
  documented: DocumentedOperation,
  schemes: AuthSchemes,
  errors: Responses,
): void {
  const { operation, policy } = documented;
  documentSuccess(documented);
  operation.responses = { ...operation.responses, ...errors };
  operation.parameters = buildParameters(documented);
  operation.security = securityRequirements(operation, policy, schemes);
  const access = accessExtension(policy);
  if (access) operation['x-access'] = access;
  // A controller that extends another has the tags of both.
  operation.tags = [...new Set(operation.tags)];
  // Pages show summaries as plain text.
  operation.summary = (operation.summary || buildSummary(documented)).replaceAll('`', '');
  operation.description = buildDescription(documented);
}

/** Documents the content and the headers of the responses that are not errors. */
function documentSuccess({ operation, method, policy }: DocumentedOperation): void {
  const { success } = policy;
  const responses = operation.responses as Record<string, ResponseObject>;
  if (success?.type) {
    // `nameSchemas()` removes `Dto` from the names of schemas.
    const schema = { $ref: getSchemaPath(success.type).replace(/Dto$/, '') };
    const isCsv = success.kind === 'list' && policy.produces?.includes(CSV_TYPE);
    const content = { 'application/json': { schema }, ...(isCsv && { [CSV_TYPE]: CSV }) };
    Object.assign(responses[success.status] ?? {}, { content });
  }
  if (method === 'GET' && KINDS_WITH_ENTITY_TAG.includes(String(success?.kind)))
    responses['304'] = {
      ...responses['304'],
      description: 'Your copy is current. The response has no body.',
    };
  if (!success) documentContent(responses, policy);
  const headers = successHeaders(policy);
  const validators = headers.filter((name) => /^(ETag|Last-Modified)$/.test(name));
  for (const [status, response] of Object.entries(responses))
    if (Number(status) < 400 && headers.length > 0)
      response.headers = {
        ...response.headers,
        ...headerReferences(status === '304' ? validators : headers),
      };
}

/**
 * Returns the security requirements of an operation. A request must meet only one of them. An empty requirement makes
 * credentials optional (OpenAPI 3.1, Security Requirement Object).
 *
 * The preferred scheme comes last, because some generated clients send the same secret with every scheme. The last
 * `Authorization` header then overwrites the others.
 */
function securityRequirements(
  operation: OperationObject,
  { access }: RoutePolicy,
  schemes: AuthSchemes,
): OperationObject['security'] {
  const requirements = schemes.all.map(({ documentName }) => ({ [documentName]: [] })).reverse();
  if (!access?.isPublic) return requirements;
  // On a public route, decorators such as `@ApiBearerAuth()` declare which credentials the route reads if present.
  const optional = access.authenticatesCaller ? requirements : (operation.security ?? []);
  return optional.length > 0 ? [{}, ...optional] : [];
}

/** Returns the access rule of a route for `x-access`, which programs read. */
function accessExtension({ access, batch }: RoutePolicy): object | undefined {
  if (access?.isPublic !== false) return undefined;
  const { permission, staff, anonymous, selfParam, ownerField } = access;
  const flags = { staff, own: (selfParam ?? ownerField) !== undefined, anonymous };
  const set = Object.entries(flags).filter(([, isSet]) => isSet);
  const ofBatch = [...(batch?.values() ?? [])].map((route) => route.permission);
  return { permission: [...new Set(ofBatch)].join(' | ') || permission, ...Object.fromEntries(set) };
}

const CSV: MediaTypeObject = {
  schema: {
    type: 'string',
    description: 'All items, one per line, after a line with the names of the columns.',
  },
};

/** Documents the media types of a route without a response DTO. If the route declares none, it sends any JSON. */
function documentContent(responses: Record<string, ResponseObject>, { produces }: RoutePolicy): void {
  for (const [status, response] of Object.entries(responses)) {
    // 204 and 205 have no body (RFC 9110 §15.3.5, §15.3.6).
    if (!/^2(?!04|05)/.test(status)) continue;
    response.description ||= 'OK.';
    if (!produces && response.content) continue;
    const json = response.content?.['application/json'] ?? { schema: {} };
    const types = produces ?? ['application/json'];
    response.content = Object.fromEntries(types.map((type) => [type, mediaTypeFor(type, json)]));
  }
}

function mediaTypeFor(type: string, json: MediaTypeObject): MediaTypeObject {
  if (/^application\/(json|.+\+json)$/.test(type)) return json;
  return { schema: { type: 'string', ...(!type.startsWith('text/') && { format: 'binary' }) } };
}
