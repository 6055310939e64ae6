import { FastifyReply, FastifyRequest } from 'fastify';

import { entityTagPrefix } from '../http/caching/preconditions.js';
import { JsonObject } from '../fields/dto-schema.js';
import { RoutePolicy } from '../routes/route-policy.js';

/** A row that counts its changes: it has an entity tag. */
export interface TaggedRow {
  readonly id: number | string;
  readonly version: number;
  readonly updatedAt: string;
  /** Tells apart what is shown of one version of a row, where that depends on more than the row: `-current`. */
  readonly entityTagSuffix?: string;
}

export const isTagged = (row: unknown): row is TaggedRow =>
  typeof row === 'object' && row !== null && typeof (row as TaggedRow).version === 'number';

/** The strong entity tag of a row in the representation of a route: `"<representation>-<id>-<version><variant>"`. */
export const buildEntityTag = (
  { id, version, entityTagSuffix = '' }: TaggedRow,
  { schemaHash = '' }: RoutePolicy,
): string => `"${entityTagPrefix(schemaHash, id)}-${version}${entityTagSuffix}"`;

/**
 * A row as the GET of its resource shows it in the version of a request: for routes that answer it inside of an object.
 * @param path of that GET, under `/api/v<version>`
 * @example toResponseAt('users/:id', user, request)
 */
export function toResponseAt(path: string, row: object, { server, policy }: FastifyRequest): object {
  const { apiVersion = server.versions[0] } = policy ?? {};
  return toResponse(row, server.policies.get(`GET /api/v${apiVersion}/${path}`) ?? {});
}

export function toResponse(row: object, policy: RoutePolicy): object {
  const shown = policy.map?.(row) ?? row;
  // Onto the object itself: a copy would lose the getters of its class.
  return policy.showsEntityTag && isTagged(row)
    ? Object.assign(shown, { etag: buildEntityTag(row, policy) })
    : shown;
}

/** The JSON that a route shows: by its schema, which Fastify does not have if interceptors may change what is sent. */
export function serializeBody(body: object | null, reply: FastifyReply): string {
  const { hasInterceptors, response = {} } = reply.request.policy ?? {};
  const [schema] = hasInterceptors ? Object.values(response) : [];
  return (
    schema ? reply.serializeInput(body as JsonObject, schema as JsonObject) : reply.serialize(body)
  ) as string;
}
