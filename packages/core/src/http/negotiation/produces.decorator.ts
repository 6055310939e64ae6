import { FastifyRequest } from 'fastify';

import { requestParameter, RoutePolicy, routePolicy } from '../route-policy.js';
import { chooseMediaType, JSON_TYPE, vendorMediaType } from './negotiate.js';

export const CSV_TYPE = 'text/csv';

/**
 * A route that produces something else than JSON, or several things: the one that `Accept` prefers is sent. Responses
 * carry it as their `Content-Type`, 406 names what there is, and the document lists it. Errors stay JSON.
 * @param types media types without parameters, the preferred one first
 * @example @Produces('text/csv')
 */
export function Produces(...types: readonly string[]): MethodDecorator {
  for (const type of types)
    if (!/^[a-z]+\/[a-z0-9.+-]+$/.test(type)) throw new Error(`@Produces(): ${type} is no media type`);
  return routePolicy({ produces: types });
}

/**
 * The media type that `Accept` chose, on a route that produces several.
 * @example list(@ProducedType() type: string) { return type === 'text/csv' ? csvOf(rows) : rows; }
 */
export const ProducedType = requestParameter(producedType);

/** The media types that a route offers; `undefined`: it says nothing of what it sends, which may be a file or a stream. */
export function offeredTypes({ answers, produces, apiVersion }: RoutePolicy): readonly string[] | undefined {
  const types = produces ?? (answers && apiVersion !== undefined ? [JSON_TYPE] : undefined);
  if (apiVersion === undefined || !types?.includes(JSON_TYPE)) return types;
  return [vendorMediaType(apiVersion), ...types];
}

/** The media type that a request gets of those that its route offers; the vendor type of its version is JSON. */
export function producedType({ policy = {}, headers }: FastifyRequest): string | undefined {
  const type = chooseMediaType(headers.accept, offeredTypes(policy) ?? []);
  return type?.startsWith('application/vnd.') && !policy.produces?.includes(type) ? JSON_TYPE : type;
}
