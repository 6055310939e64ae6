import { FastifyRequest } from 'fastify';

/**
 * What rows a request is about whatever it asks for: those whose property has a value that the request tells. It
 * narrows lists (`@ListParameters`) and single rows (`@PathKey`) alike: what lies outside is not there.
 */
export interface RequestScope {
  readonly property: string;
  /** `undefined`: this request is not narrowed. */
  readonly valueOf: (request: FastifyRequest) => string | number | boolean | undefined;
}
