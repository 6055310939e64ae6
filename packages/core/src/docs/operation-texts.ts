import { STAFF_ROLES } from '../config/define-access.js';
import { RoutePolicy } from '../routes/route-policy.js';
import { withArticle } from '../resources/nouns.js';
import { collectionName } from '../resources/resource.js';
import { DocumentedOperation } from './openapi.js';

const SUMMARY_VERBS: Readonly<Record<string, string>> = {
  GET: 'Read',
  POST: 'Create',
  PUT: 'Replace',
  PATCH: 'Change some fields of',
  DELETE: 'Delete',
};

/**
 * Returns the nouns for the resource of an operation: `products`, `a review of a product`. Returns
 * `undefined` if the operation has no resource.
 */
function resourceNames({
  policy: { resource },
  nounFor,
}: DocumentedOperation): { plural: string; one: string } | undefined {
  if (!resource) return undefined;
  const segments = resource.path.split('/');
  const parent = segments.slice(0, -1).findLast((segment) => !segment.startsWith(':'));
  // Below a parent, the last segment of the path is enough to name the collection.
  const collection = (parent ? segments.at(-1) : collectionName(resource)) ?? '';
  const of = parent ? ` of ${withArticle(nounFor(parent))}` : '';
  const plural = `${of && 'the '}${collection.replaceAll('-', ' ')}${of}`;
  return { plural, one: withArticle(nounFor(collection)) + of };
}

/** @example `List products`, `Read a product`, `Change some fields of a review of a product` */
export function buildSummary(documented: DocumentedOperation): string {
  const names = resourceNames(documented);
  if (!names) return '';
  const { method, policy } = documented;
  if (policy.batch) return `Create, change and delete ${names.plural} at once`;
  if (policy.success?.kind === 'facets') return `Read the facets of ${names.plural}`;
  if (policy.list) return `List ${names.plural}`;
  return `${SUMMARY_VERBS[method] ?? method} ${names.one}`;
}

const PAGES_DESCRIPTION =
  'Pages have numbers by default. To go from page to page by cursor instead, begin with an empty `cursor`. Pages by ' +
  'cursor have no total, and show each item once even if items are added or removed in the meantime. To get the whole ' +
  'list as CSV, send `Accept: text/csv`, without `page`, `limit` and `cursor`.';
const FACETS_DESCRIPTION =
  'Each facet counts the items that match `q` and all filters. A filter of a property therefore applies to the facet of ' +
  'the same property, too.';

/** The first sentence of a description, by the kind of the response or by the method. */
const ACTION_DESCRIPTIONS: Readonly<Record<string, string>> = {
  batch: 'Creates, changes and deletes {plural}, up to 100 in one request.',
  list: 'Returns one page of {plural}, and links to other pages.',
  facets: 'Counts {plural} by value, so that a page can show how many items each filter would leave.',
  GET: 'Returns {one} with its `ETag`.',
  POST: 'Creates {one}, and returns it with its path in `Location` and its `ETag`.',
  PUT: 'Replaces all writable fields of {one}. A field that you leave out gets its default.',
  PATCH:
    'Changes only the fields of {one} that you send (JSON merge patch, RFC 7396). Send `null` to clear a field.',
  DELETE: 'Deletes {one} permanently. The response is 204 without a body.',
};
const REVALIDATION_DESCRIPTION =
  'When you read the resource again, send its `ETag` in `If-None-Match`. A 304 means that your copy is current.';

const PRECONDITIONS_DESCRIPTION =
  'To avoid overwriting changes that you have not seen, send the `ETag` that you read in `If-Match`. If the resource has ' +
  'changed since, the response is 412 `PRECONDITION_FAILED`: read it again, redo your change, and send the new `ETag`.';
const IDEMPOTENCY_DESCRIPTION =
  'To retry safely, send an `Idempotency-Key`. For 24 hours, a request with the same key and body gets the first ' +
  'response again instead of creating another resource.';
const BATCH_DESCRIPTION =
  'Carries out the operations in order. Permissions, grants and conditions apply to each operation as to a single ' +
  'request. By default, either all operations succeed or none is carried out. The first operation that fails then ' +
  'determines the response: its `details` name fields as `operations.3.price`, or its message begins with ' +
  '`operations.3:`. With `atomic: false`, each operation has its own result, and the response is 200. Each operation ' +
  'counts as one request in the rate limit. If too few requests are left, the whole batch gets 429.';
const NO_BODY_DESCRIPTION = 'Needs no body. A JSON body is ignored.';

/** Builds the description of an operation: the declared text, then paragraphs that follow from the policy. */
export function buildDescription(documented: DocumentedOperation): string {
  const { operation, method, policy } = documented;
  const { success, batch } = policy;
  const { plural = '', one = '' } = resourceNames(documented) ?? {};
  const isResource = success?.kind === 'resource';
  // A POST that does not respond with 201 does not create a resource.
  const isKnown = method === 'DELETE' || (isResource && (method !== 'POST' || success.status === 201));
  const action =
    ACTION_DESCRIPTIONS[batch ? 'batch' : String(success?.kind)] ?? (isKnown && ACTION_DESCRIPTIONS[method]);
  return [
    operation.description,
    one && action && action.replace('{one}', one).replace('{plural}', plural),
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
  if (!access || access.isPublic) return '**Access:** open to everyone, without credentials.';
  if (batch) return '**Access:** each operation needs the permission that a single request needs.';
  const { permission, staff, anonymous, selfParam, ownerField } = access;
  // The route can only access the caller's own rows.
  if (ownerField === true && !staff && selfParam === undefined)
    return `**Access:** every user, for their own resources. An API key needs the permission \`${permission}\`.`;
  const own = selfParam === undefined ? ownerField && 'their own resources' : 'paths with their own id';
  const role = staff ? ` and a staff role (${STAFF_ROLES.map((name) => `\`${name}\``).join(', ')})` : '';
  const owner = own ? `. Users ${staff ? 'need neither' : 'do not need it'} for ${own}` : '';
  const key = own ? ' An API key always needs the permission.' : '';
  const open = anonymous ? ' Open to everyone if the service sets `ANONYMOUS_ROLE`.' : '';
  return `**Access:** needs the permission \`${permission}\`${role}${owner}.${key}${open}`;
}
