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

/** Returns the nouns for the resource of an operation: `products`, `a review of a product`. `undefined` without a resource. */
function resourceNames({
  policy: { resource },
  nounFor,
}: DocumentedOperation): { plural: string; one: string } | undefined {
  if (!resource) return undefined;
  const segments = resource.path.split('/');
  const parent = segments.slice(0, -1).findLast((segment) => !segment.startsWith(':'));
  // Under a parent, the name in the path is enough.
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
  'Pages go by number unless `cursor` is present: an empty `cursor` starts a walk, which counts no ' +
  'total and shows each item once while others are added and removed. `Accept: text/csv` gets all of the list instead, ' +
  'where `page`, `limit` and `cursor` are 400.';
const FACETS_DESCRIPTION =
  'The rows are those that the filters and `q` leave, all of them for each facet: a value that a filter rules ' +
  'out is not among those that are counted.';

/** The first sentence of a description, by the kind of the response or by the method. */
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

/** The paragraphs of an operation's description: the declared one, then those that follow from its policy. */
export function buildDescription(documented: DocumentedOperation): string {
  const { operation, method, policy } = documented;
  const { success, batch } = policy;
  const { plural = '', one = '' } = resourceNames(documented) ?? {};
  const isResource = success?.kind === 'resource';
  // A POST that responds with another status than 201 does something other than creating.
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
  if (!access || access.isPublic) return '**Access:** open to everybody.';
  if (batch) return '**Access:** needs for each operation what that needs alone.';
  const { permission, staff, anonymous, selfParam, ownerField } = access;
  // The route only reaches the caller's own rows.
  if (ownerField === true && !staff && selfParam === undefined)
    return `**Access:** every user, for what is their own. An API key needs the permission \`${permission}\`.`;
  const own = selfParam === undefined ? ownerField && 'what is their own' : 'a path of their own';
  const role = staff ? ` and a staff role (${STAFF_ROLES.map((name) => `\`${name}\``).join(', ')})` : '';
  const owner = own ? `; users ${staff ? 'need neither' : 'do not need it'} for ${own}` : '';
  const key = own ? ' An API key always needs the permission.' : '';
  const open = anonymous ? ' Open to everybody where the service sets `ANONYMOUS_ROLE`.' : '';
  return `**Access:** needs the permission \`${permission}\`${role}${owner}.${key}${open}`;
}
