import { createParamDecorator, ExecutionContext } from '@nestjs/common';
import { FastifyRequest } from 'fastify';

import { routePolicy } from '../route-policy.js';
import { chooseMediaType, JSON_TYPE, vendorMediaType } from './negotiate.js';

declare module '../route-policy.js' {
  interface RoutePolicy {
    /** The media types that the route produces, the preferred one first. Left out: JSON. */
    produces?: readonly string[];
  }
}

/**
 * A route that produces something else than JSON, or several things: the one that `Accept` prefers is sent. Responses
 * carry it as their `Content-Type`, 406 names what there is, and the document lists it. Errors stay JSON.
 *
 * @param types media types without parameters, the preferred one first
 * @example @Produces('text/csv')
 */
export function Produces(...types: readonly string[]): MethodDecorator {
  for (const type of types)
    if (!MEDIA_TYPE.test(type)) throw new Error(`@Produces(): ${type} is no media type`);
  return routePolicy({ produces: types });
}

/**
 * The media type that `Accept` chose, on a route that produces several.
 *
 * @example list(@ProducedType() type: string) { return type === 'text/csv' ? csvOf(rows) : rows; }
 */
export const ProducedType: () => ParameterDecorator = createParamDecorator(
  (_: undefined, context: ExecutionContext) => producedType(context.switchToHttp().getRequest()),
);

/** The media type that a request gets of those that its route produces; the vendor type of its version is JSON. */
export function producedType({ policy, headers }: FastifyRequest): string | undefined {
  const { produces = [], apiVersion } = policy ?? {};
  const isVersioned = apiVersion !== undefined && produces.includes(JSON_TYPE);
  const offered = isVersioned ? [vendorMediaType(apiVersion), ...produces] : produces;
  const type = chooseMediaType(headers.accept, offered);
  return type?.startsWith('application/vnd.') && !produces.includes(type) ? JSON_TYPE : type;
}

const MEDIA_TYPE = /^[a-z]+\/[a-z0-9.+-]+$/;
