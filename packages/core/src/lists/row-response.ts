import { FastifyReply, FastifyRequest } from 'fastify';

import { entityTagPrefix } from '../http/caching/preconditions.js';
import { JsonObject } from '../fields/dto-schema.js';
import { RoutePolicy } from '../routes/route-policy.js';

/** A row with an entity tag. Its `version` increases with each change of the row. */
export interface TaggedRow {
  readonly id: number | string;
  readonly version: number;
  readonly updatedAt: string;
  /**
   * A suffix for responses that depend on more than the row, such as `-current`. It gives the same version of a row
   * different entity tags.
   */
  readonly entityTagSuffix?: string;
}

export const isTagged = (row: unknown): row is TaggedRow =>
  typeof row === 'object' && row !== null && typeof (row as TaggedRow).version === 'number';

/**
 * Builds the strong entity tag of a row in the response of a route: `"<hash of the schema>-<id>-<version><suffix>"`.
 */
export const buildEntityTag = (
  { id, version, entityTagSuffix = '' }: TaggedRow,
  { schemaHash = '' }: RoutePolicy,
): string => `"${entityTagPrefix(schemaHash, id)}-${version}${entityTagSuffix}"`;

/**
 * Returns the row as in the response of the GET route of its resource, in the same version of the API as the request.
 * Use it for a response that contains the row in a property of an object.
 * @param path the path of the GET route, under `/api/v<version>`
 * @example toResponseAt('users/:id', user, request)
 */
export function toResponseAt(path: string, row: object, { server, policy }: FastifyRequest): object {
  const { apiVersion = server.versions[0] } = policy ?? {};
  return toResponse(row, server.policies.get(`GET /api/v${apiVersion}/${path}`) ?? {});
}

/**
 * Returns the response for a row: the result of the option `map`, or the row itself, with `etag` if the route shows it.
 */
export function toResponse(row: object, policy: RoutePolicy): object {
  const shown = policy.map?.(row) ?? row;
  // Add `etag` to the object itself, because a copy would lose the getters of its class.
  return policy.showsEntityTag && isTagged(row)
    ? Object.assign(shown, { etag: buildEntityTag(row, policy) })
    : shown;
}

/**
 * Returns the JSON of a response, serialized by the schema of its route. If interceptors may change the body, Fastify
 * does not know the schema, so it is passed here.
 */
export function serializeBody(body: object | null, reply: FastifyReply): string {
  const { hasInterceptors, response = {} } = reply.request.policy ?? {};
  const [schema] = hasInterceptors ? Object.values(response) : [];
  return (
    schema ? reply.serializeInput(body as JsonObject, schema as JsonObject) : reply.serialize(body)
  ) as string;
}
