import { PRODUCT } from '../../config/product.js';

export const JSON_TYPE = 'application/json';
export const CSV_TYPE = 'text/csv';

/** The media type by which a client asks for a version of the API. @example vendorMediaType(2) // 'application/vnd.plinth.v2+json' */
export function vendorMediaType(version: number): string {
  return `application/vnd.${PRODUCT.slug}.v${version}+json`;
}

/**
 * Chooses a media type by `Accept` (RFC 9110 §12.5.1): the type with the highest quality, or the first offered one of
 * those with equal quality. Returns `undefined` if the client accepts none of them. A missing or empty header accepts
 * everything. A member whose quality is malformed is ignored.
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

/** The most specific range decides: the type itself, then `text/*`, then any type. Wildcards do not match vendor types. */
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
