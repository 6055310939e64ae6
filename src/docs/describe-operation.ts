import '../resources/openapi/answers.decorator.js';
import { accessSentence } from './document-access.js';
import { DocumentedRoute } from './operation-errors.js';

const PAGES =
  'Returns one page. Pages go by number unless `cursor` is present: an empty `cursor` starts a walk, which counts no ' +
  'total and shows each item once while others are added and removed.';
const REPLACEMENT = 'Replaces every writable field: one that is left out goes back to its default.';
const MERGE_PATCH = 'Takes a JSON merge patch (RFC 7396): only the fields that are sent change.';
const CONDITIONS =
  'Send the `ETag` that you read in `If-Match` to write only what you saw. 412 `PRECONDITION_FAILED` means that the ' +
  'resource has changed since: read it again, redo the change, and send it with the new `ETag`.';
const IDEMPOTENCY =
  'Send an `Idempotency-Key` to retry safely: for 24 hours a request with the same key and body gets the first ' +
  'response again instead of creating another resource.';
const NO_BODY = 'Needs no body; a JSON body is ignored.';

/** The description of an operation: what its controller says, what follows from its policy, and who may call it. */
export function describeOperation(declared: string | undefined, { method, policy }: DocumentedRoute): string {
  const { answers } = policy;
  const isOfResource = answers?.kind === 'resource';
  const sentences = [
    declared,
    answers?.kind === 'list' && PAGES,
    method === 'PUT' && isOfResource && REPLACEMENT,
    method === 'PATCH' && isOfResource && MERGE_PATCH,
    policy.isConditional && CONDITIONS,
    policy.isIdempotent && IDEMPOTENCY,
    method === 'POST' && !policy.takesBody && answers !== undefined && NO_BODY,
    accessSentence(policy),
  ];
  return sentences.filter(Boolean).join('\n\n');
}
