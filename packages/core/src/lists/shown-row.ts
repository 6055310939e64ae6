import { FastifyReply, FastifyRequest } from 'fastify';

import { taggedResource } from '../http/caching/preconditions.js';
import { Json } from '../fields/shape.js';
import { RoutePolicy } from '../http/route-policy.js';

/** A row that counts its changes: it has an entity tag. */
export interface TaggedRow {
  readonly id: number | string;
  readonly version: number;
  readonly updatedAt: string;
  /** Tells apart what is shown of one version of a row, where that depends on more than the row: `-current`. */
  readonly variant?: string;
}

export const isTagged = (row: unknown): row is TaggedRow =>
  typeof row === 'object' && row !== null && typeof (row as TaggedRow).version === 'number';

/** The strong entity tag of a row in the representation of a route: `"<representation>-<id>-<version><variant>"`. */
export const entityTagOf = (
  { id, version, variant = '' }: TaggedRow,
  { representation = '' }: RoutePolicy,
): string => `"${taggedResource(representation, id)}-${version}${variant}"`;

/**
 * A row as the GET of its resource shows it in the version of a request: for routes that answer it inside of an object.
 * @param path of that GET, under `/api/v<version>`
 * @example shownAt('users/:id', user, request)
 */
export function shownAt(path: string, row: object, { server, policy }: FastifyRequest): object {
  const { apiVersion = server.versions[0] } = policy ?? {};
  return shownOf(row, server.policies.get(`GET /api/v${apiVersion}/${path}`) ?? {});
}

export function shownOf(row: object, policy: RoutePolicy): object {
  const shown = policy.map?.(row) ?? row;
  // Onto the object itself: a copy would lose the getters of its class.
  return policy.showsEntityTag && isTagged(row)
    ? Object.assign(shown, { etag: entityTagOf(row, policy) })
    : shown;
}

/** The JSON that a route shows: by its schema, which Fastify does not have if interceptors may change what is sent. */
export function jsonOf(body: object | null, reply: FastifyReply): string {
  const { isWrapped, response = {} } = reply.request.policy ?? {};
  const [schema] = isWrapped ? Object.values(response) : [];
  return (schema ? reply.serializeInput(body as Json, schema as Json) : reply.serialize(body)) as string;
}
