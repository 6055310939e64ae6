import { FastifyRequest } from 'fastify';

import { createRequestDecorator } from '../../routes/request.js';
import { RoutePolicy, routePolicy } from '../../routes/route-policy.js';
import { chooseMediaType, JSON_TYPE, vendorMediaType } from './media-types.js';

/**
 * Declares the media types of a route that responds with something other than JSON, or with a choice of types. The
 * response has the type that `Accept` prefers as its `Content-Type`; a 406 lists the types; the OpenAPI document shows
 * them. Errors stay JSON. Leave it out on a route that only responds with JSON.
 * @example @Produces('text/csv')
 * @param types media types without parameters, the preferred one first
 * @throws Error if a type is not a media type
 */
export function Produces(...types: readonly string[]): MethodDecorator {
  for (const type of types)
    if (!/^[a-z]+\/[a-z0-9.+-]+$/.test(type)) throw new Error(`@Produces(): ${type} is not a media type`);
  return routePolicy({ produces: types });
}

/**
 * The media type that `Accept` chose, on a route with several.
 * @example list(@ProducedType() type: string) { return type === 'text/csv' ? toCsv(rows) : rows; }
 */
export const ProducedType = createRequestDecorator(negotiateType);

/** The media types that a route offers. Returns `undefined` if the route declares none: it may send a file or a stream. */
export function offeredTypes({ success, produces, apiVersion }: RoutePolicy): readonly string[] | undefined {
  const types = produces ?? (success && apiVersion !== undefined ? [JSON_TYPE] : undefined);
  if (apiVersion === undefined || !types?.includes(JSON_TYPE)) return types;
  return [vendorMediaType(apiVersion), ...types];
}

/** The media type that a request gets from those that its route offers. The vendor type of its version counts as JSON. */
export function negotiateType({ policy = {}, headers }: FastifyRequest): string | undefined {
  const type = chooseMediaType(headers.accept, offeredTypes(policy) ?? []);
  return type?.startsWith('application/vnd.') && !policy.produces?.includes(type) ? JSON_TYPE : type;
}
