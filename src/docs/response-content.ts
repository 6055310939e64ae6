import { RoutePolicy } from '../http/route-policy.js';
import '../http/negotiation/produces.decorator.js';
import { MediaTypeObject, ResponseObject } from './openapi-types.js';

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
