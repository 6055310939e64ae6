import { getSchemaPath } from '@nestjs/swagger';

import { AuthSchemes } from '../access/schemes/auth-schemes.js';
import { STAFF_ROLES } from '../config/define-access.js';
import { CSV_TYPE } from '../http/negotiation/negotiate.js';
import { RoutePolicy } from '../routes/route-policy.js';
import { collectionName } from '../resources/resource.js';
import { toSingular, withArticle } from '../resources/nouns.js';
import { Responses } from './error-responses.js';
import {
  MediaTypeObject,
  DocumentedOperation,
  ParameterObject,
  ResponseObject,
  SchemaObject,
} from './openapi.js';
import { headerReferences, successHeaders, KINDS_WITH_ENTITY_TAG } from './response-headers.js';

export function documentOperation(
  documented: DocumentedOperation,
  schemes: AuthSchemes,
  errors: Responses,
): void {
  const { operation, method, policy } = documented;
  const { success, access } = policy;
  const responses = operation.responses as Record<string, ResponseObject>;
  if (success?.type) {
    // Named as the document names it, without `Dto`.
    const schema = { $ref: getSchemaPath(success.type).replace(/Dto$/, '') };
    const isCsv = success.kind === 'list' && policy.produces?.includes(CSV_TYPE);
    const content = { 'application/json': { schema }, ...(isCsv && { [CSV_TYPE]: CSV }) };
    Object.assign(responses[success.status] ?? {}, { content });
  }
  if (method === 'GET' && KINDS_WITH_ENTITY_TAG.includes(String(success?.kind)))
    responses['304'] = { description: 'Your copy is current. There is no body.' };
  if (!success) documentContent(responses, policy);
  const headers = successHeaders(policy);
  const ofCopy = headers.filter((name) => /^(ETag|Last-Modified)$/.test(name));
  for (const [status, response] of Object.entries(responses))
    if (Number(status) < 400 && headers.length > 0)
      response.headers = headerReferences(status === '304' ? ofCopy : headers);
  operation.responses = { ...responses, ...errors };
  operation.parameters = buildParameters(documented);
  // Any one of the schemes will do. An empty requirement makes them optional (OpenAPI 3.1, Security Requirement Object).
  // Generated clients that send one secret by every scheme let the last `Authorization` win: the preferred scheme is last.
  const requirements = schemes.all.map(({ documentName }) => ({ [documentName]: [] })).reverse();
  if (!access?.isPublic) operation.security = requirements;
  else {
    // By `@ApiBearerAuth()` and the like, a public route says which credentials it reads if there are any.
    const optional = access.authenticatesCaller ? requirements : (operation.security ?? []);
    operation.security = optional.length > 0 ? [{}, ...optional] : [];
  }
  if (access?.isPublic === false) {
    const { permission, staff, anonymous, selfParam, ownerField } = access;
    const flags = { staff, own: (selfParam ?? ownerField) !== undefined, anonymous };
    const set = Object.entries(flags).filter(([, isSet]) => isSet);
    const each = [...(policy.batch?.values() ?? [])].map((route) => route.permission);
    const needed = [...new Set(each)].join(' | ') || permission;
    operation['x-access'] = { permission: needed, ...Object.fromEntries(set) };
  }
  // A controller that extends another has the tags of both.
  operation.tags = [...new Set(operation.tags)];
  // Pages show summaries as plain text.
  operation.summary = (operation.summary || buildSummary(documented)).replaceAll('`', '');
  operation.description = buildDescription(documented);
}

const CSV: MediaTypeObject = {
  schema: { type: 'string', description: 'Every row, with a first line of the names of the columns.' },
};

/** Completes what an ordinary route answers: the media types it produces, and any JSON where it does not say. */
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

const PARAMETER_PLACES = ['path', 'query', 'header', 'cookie'];

const optionalParameter = (place: string, name: string, description: string): ParameterObject => ({
  name,
  in: place as 'header',
  required: false,
  description,
  // Without examples: forms made of the document would send them.
  schema: { type: 'string' },
});

const IF_NONE_MATCH = optionalParameter(
  'header',
  'If-None-Match',
  'ETags of the copies that you have: 304 if one of them is current.',
);
const IF_MODIFIED_SINCE = optionalParameter(
  'header',
  'If-Modified-Since',
  'Last-Modified of the copy that you have: 304 if it is current. Ignored beside If-None-Match.',
);
/** Optional: scripts of browsers can neither read nor send it. */
const COOKIE_DESCRIPTION =
  'Set by `POST /login` for browsers, which send it by themselves. Other clients send it as a `Cookie`.';

function buildParameters(documented: DocumentedOperation): ParameterObject[] {
  const { operation, method, policy } = documented;
  const kind = method === 'GET' ? policy.success?.kind : undefined;
  const conditions = KINDS_WITH_ENTITY_TAG.includes(String(kind)) ? [IF_NONE_MATCH] : [];
  if (kind === 'resource') conditions.push(IF_MODIFIED_SINCE);
  const cookies = (policy.readsCookies ?? []).map((name) =>
    optionalParameter('cookie', name, COOKIE_DESCRIPTION),
  );
  const declared = (operation.parameters ?? []) as ParameterObject[];
  for (const parameter of declared) if (parameter.in === 'path') describeId(parameter, documented);
  const all = [...declared, ...conditions, ...cookies];
  return all.sort((a, b) => PARAMETER_PLACES.indexOf(a.in) - PARAMETER_PLACES.indexOf(b.in));
}

/** Describes `id` and `orderId`, unless `@ApiParam()` or a DTO says more about them than their type. */
function describeId(parameter: ParameterObject, { policy, nounFor }: DocumentedOperation): void {
  const { schema = {}, name } = parameter;
  const isOfKey = policy.keyParameters?.includes(name) === true;
  const { type, ...more } = schema as SchemaObject;
  if (!/(^id|Id)$/.test(name) || '$ref' in schema || (Object.keys(more).length > 0 && !isOfKey)) return;
  if (type === 'number' || isOfKey) {
    // Without a maximum: an integer that is too large for an id is 404.
    if (policy.resource) parameter.schema = { type: 'integer', minimum: 1 };
    delete parameter.examples;
    parameter.example ??= 42;
  }
  const segments = policy.route?.split('/') ?? [];
  const collection = segments[segments.indexOf(`:${parameter.name}`) - 1] ?? '';
  const noun = nounFor(collection).replace(/^api\b/, 'API');
  parameter.description ??= `The id of the ${noun}.`;
}

const SUMMARY_VERBS: Readonly<Record<string, string>> = {
  GET: 'Read',
  POST: 'Create',
  PUT: 'Replace',
  PATCH: 'Change some fields of',
  DELETE: 'Delete',
};

/** How texts call the resource of an operation, where it has one: `products`, `a review of a product`. */
function resourceNames({
  policy: { resource },
  nounFor,
}: DocumentedOperation): { plural: string; one: string } | undefined {
  if (!resource) return undefined;
  const segments = resource.path.split('/');
  const parent = segments.slice(0, -1).findLast((segment) => !segment.startsWith(':'));
  // Under its parent, it needs no other name than the path's.
  const collection = (parent ? segments.at(-1) : collectionName(resource)) ?? '';
  const of = parent ? ` of ${withArticle(nounFor(parent))}` : '';
  const plural = `${of && 'the '}${collection.replaceAll('-', ' ')}${of}`;
  return { plural, one: withArticle(nounFor(collection)) + of };
}

/** `List products`, `Read a product`, `Change some fields of a review of a product`. */
function buildSummary(documented: DocumentedOperation): string {
  const names = resourceNames(documented);
  if (!names) return '';
  const { method, policy } = documented;
  if (policy.batch) return `Create, change and delete ${names.plural} at once`;
  if (policy.success?.kind === 'facets') return `Read the facets of ${names.plural}`;
  if (policy.list) return `List ${names.plural}`;
  return `${SUMMARY_VERBS[method] ?? method} ${names.one}`;
}

const PAGES_DESCRIPTION =
  'Pages go by number unless `cursor` is present: an empty `cursor` starts a walk, which counts no ' +
  'total and shows each item once while others are added and removed. `Accept: text/csv` gets all of the list instead, ' +
  'where `page`, `limit` and `cursor` are 400.';
const FACETS_DESCRIPTION =
  'The rows are those that the filters and `q` leave, all of them for each facet: a value that a filter rules ' +
  'out is not among those that are counted.';

/** Says in a sentence or two what an operation does, by the kind of its answer or its method. */
const ACTION_DESCRIPTIONS: Readonly<Record<string, string>> = {
  batch: 'Creates, changes and deletes {plural}, up to 100 in one request.',
  list: 'Returns one page of {plural}, and how to get the next one.',
  facets: 'Counts {plural} by their values, for the filters of a page.',
  GET: 'Returns {one} with its `ETag`.',
  POST: 'Creates {one}, and returns it with its path in `Location` and its `ETag`.',
  PUT: 'Replaces every writable field of {one}: one that is left out goes back to its default.',
  PATCH:
    'Changes the fields of {one} that are sent, and no others (a JSON merge patch, RFC 7396); `null` clears a field.',
  DELETE: 'Deletes {one} for good. The response is 204, without a body.',
};
const REVALIDATION_DESCRIPTION =
  'Send the `ETag` in `If-None-Match` when you read it again: 304 means that your copy is current.';

const PRECONDITIONS_DESCRIPTION =
  'Send the `ETag` that you read in `If-Match` to write only what you saw. 412 `PRECONDITION_FAILED` means that the ' +
  'resource has changed since: read it again, redo the change, and send it with the new `ETag`.';
const IDEMPOTENCY_DESCRIPTION =
  'Send an `Idempotency-Key` to retry safely: for 24 hours a request with the same key and body gets the first ' +
  'response again instead of creating another resource.';
const BATCH_DESCRIPTION =
  'Carries out the operations in their order, each as its own request would be: by the permission, grants and ' +
  'conditions of that. By default all are done or none, and the first fault decides the response: its `details` name ' +
  'the fields as `operations.3.price`, and without details its message begins with `operations.3:`. With `atomic: false` each has its own result, and the response is 200. Each ' +
  'operation counts as a request in the rate limit: where fewer are left, the whole batch is answered with 429.';
const NO_BODY_DESCRIPTION = 'Needs no body; a JSON body is ignored.';

function buildDescription(documented: DocumentedOperation): string {
  const { operation, method, policy } = documented;
  const { success, batch } = policy;
  const { plural = '', one = '' } = resourceNames(documented) ?? {};
  const isResource = success?.kind === 'resource';
  // A POST that answers with another status than 201 does something of its own.
  const isKnown = method === 'DELETE' || (isResource && (method !== 'POST' || success.status === 201));
  const deed =
    ACTION_DESCRIPTIONS[batch ? 'batch' : String(success?.kind)] ?? (isKnown && ACTION_DESCRIPTIONS[method]);
  return [
    operation.description,
    one && deed && deed.replace('{one}', one).replace('{plural}', plural),
    success?.kind === 'list' && PAGES_DESCRIPTION,
    success?.kind === 'facets' && FACETS_DESCRIPTION,
    method === 'GET' && isResource && REVALIDATION_DESCRIPTION,
    policy.isConditional && PRECONDITIONS_DESCRIPTION,
    batch && BATCH_DESCRIPTION,
    policy.isTransactional && IDEMPOTENCY_DESCRIPTION,
    method === 'POST' && !policy.hasBodyDto && success !== undefined && NO_BODY_DESCRIPTION,
    accessSentence(policy),
  ]
    .filter(Boolean)
    .join('\n\n');
}

function accessSentence({ access, batch }: RoutePolicy): string {
  if (!access || access.isPublic) return '**Access:** open to everybody.';
  if (batch) return '**Access:** needs for each operation what that needs alone.';
  const { permission, staff, anonymous, selfParam, ownerField } = access;
  // Such a route knows no rows but the caller's own.
  if (ownerField === true && !staff && selfParam === undefined)
    return `**Access:** every user, for what is their own. An API key needs the permission \`${permission}\`.`;
  const own = selfParam === undefined ? ownerField && 'what is their own' : 'a path of their own';
  const role = staff ? ` and a staff role (${STAFF_ROLES.map((name) => `\`${name}\``).join(', ')})` : '';
  const owner = own ? `; users ${staff ? 'need neither' : 'do not need it'} for ${own}` : '';
  const key = own ? ' An API key always needs the permission.' : '';
  const open = anonymous ? ' Open to everybody where the service sets `ANONYMOUS_ROLE`.' : '';
  return `**Access:** needs the permission \`${permission}\`${role}${owner}.${key}${open}`;
}

/** `ProductsController.get` → `getProduct`, `.list` → `listProducts`, `LoginController.login` → `login`. */
export function operationName(controller: string, method: string): string {
  // Where a controller serves several versions, Nest numbers its methods: `login[1]`.
  const name = method.replace(/\[\d+\]$/, '');
  const plural = controller.replace(/(V\d+)?Controller$/, '');
  if (name.toLowerCase() === plural.toLowerCase()) return name;
  if (name === 'list' || name === 'batch') return `${name}${plural}`;
  const singular = plural.replace(/^.+?(?=Of[A-Z]|$)/, toSingular);
  if (name === 'facets') return `get${singular}Facets`;
  // Clients know `remove` by another name.
  return `${name === 'remove' ? 'delete' : name}${singular}`;
}
