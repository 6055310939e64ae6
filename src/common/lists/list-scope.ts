import { FastifyRequest } from 'fastify';

import { readId } from '#src/common/validation/id.decorator.js';

import { FilterValue } from './list-definition.js';

/** Narrows a list by what the request is, not by what it asks for. The list's cursors are good within it only. */
export interface ListScope {
  readonly property: string;
  /** What the property must be; `undefined`: anything. */
  readonly valueOf: (request: FastifyRequest) => FilterValue | undefined;
}

/**
 * Narrows a list to the children of what the path names.
 *
 * @param parameter of the path, that the property must equal
 * @example list(@ListParameters(reviewList, ofPath('productId', 'id')) query: ListQuery) { … }
 * @throws ApiError `INVALID_ID`
 */
export function ofPath(property: string, parameter = 'id'): ListScope {
  return {
    property,
    valueOf: ({ params }) => readId((params as Record<string, string>)[parameter] ?? '', parameter),
  };
}
