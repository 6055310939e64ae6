import { FastifyRequest } from 'fastify';

import { PRODUCT } from '../../config/product.js';
import { RoutePolicy, routePolicy } from '../../routes/route-policy.js';
import { createRequestDecorator } from '../../routes/request.js';

export const JSON_TYPE = 'application/json';
export const CSV_TYPE = 'text/csv';

export function vendorMediaType(version: number): string {
  return `application/vnd.${PRODUCT.slug}.v${version}+json`;
}

/**
 * Chooses among media types by `Accept` (RFC 9110 §12.5.1): the one of highest quality, of several the first that is
 * offered, `undefined` where the client takes none. A missing or empty header takes anything; a member whose quality
 * cannot be read counts for nothing.
 */
export function chooseMediaType(accept: string | undefined, offered: readonly string[]): string | undefined {
  const preferences = parseAccept(accept);
  let best: { type: string; quality: number } | undefined;
  for (const type of offered) {
    const quality = findQuality(preferences, type);
    if (quality > (best?.quality ?? 0)) best = { type, quality };
  }
  return best?.type;
}

/** The most specific range decides: the type itself, `text/*`, then any type. Wildcards stand for no vendor type. */
function findQuality(preferences: ReadonlyMap<string, number>, type: string): number {
  const own = preferences.get(type);
  if (own !== undefined || type.startsWith('application/vnd.')) return own ?? 0;
  const group = `${type.slice(0, type.indexOf('/'))}/*`;
  return preferences.get(group) ?? preferences.get('*/*') ?? 0;
}

function parseAccept(accept = ''): ReadonlyMap<string, number> {
  const preferences = new Map<string, number>();
  const members = accept.split(',').filter((member) => member.trim() !== '');
  if (members.length === 0) preferences.set('*/*', 1);
  for (const member of members) {
    const [range = '', ...parameters] = member.split(';').map((part) => part.trim().toLowerCase());
    const quality = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1);
    if (quality >= 0 && quality <= 1) preferences.set(range, Math.max(quality, preferences.get(range) ?? 0));
  }
  return preferences;
}

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
export const ProducedType = createRequestDecorator(negotiateType);

/** The media types that a route offers; `undefined`: it says nothing of what it sends, which may be a file or a stream. */
export function offeredTypes({ success, produces, apiVersion }: RoutePolicy): readonly string[] | undefined {
  const types = produces ?? (success && apiVersion !== undefined ? [JSON_TYPE] : undefined);
  if (apiVersion === undefined || !types?.includes(JSON_TYPE)) return types;
  return [vendorMediaType(apiVersion), ...types];
}

/** The media type that a request gets of those that its route offers; the vendor type of its version is JSON. */
export function negotiateType({ policy = {}, headers }: FastifyRequest): string | undefined {
  const type = chooseMediaType(headers.accept, offeredTypes(policy) ?? []);
  return type?.startsWith('application/vnd.') && !policy.produces?.includes(type) ? JSON_TYPE : type;
}
