import { RequestScope } from '../http/request-scope.js';
import { readId } from './path-id.decorator.js';

/**
 * Narrows a list to the children of what the path names.
 *
 * @param parameter of the path, that the property must equal
 * @example list(@ListParameters(reviewList, ofPath('productId', 'id')) query: ListQuery) { … }
 * @throws ApiError `INVALID_ID`
 */
export function ofPath(property: string, parameter = 'id'): RequestScope {
  return {
    property,
    valueOf: ({ params }) => readId((params as Record<string, string>)[parameter] ?? '', parameter),
  };
}
