import { FastifyRequest } from 'fastify';

/**
 * The rows that a request is limited to: those whose property has a value that follows from the request. It
 * narrows lists (`@ListQuery`) and single rows (`@PathKey`) alike: what lies outside is not there.
 */
export interface RequestScope {
  readonly property: string;
  /** `undefined`: this request is not narrowed. */
  readonly valueOf: (request: FastifyRequest) => string | number | boolean | undefined;
}
