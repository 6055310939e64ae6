import { PRODUCT } from '../../config/product.js';

export const JSON_TYPE = 'application/json';

/** The vendor media type of a version: `application/vnd.<product>.v2+json`. */
export function vendorMediaType(version: number): string {
  return `application/vnd.${PRODUCT.slug}.v${version}+json`;
}

/**
 * Chooses among media types by `Accept` (RFC 9110 §12.5.1): the one of highest quality, of several the first that is
 * offered, `undefined` where the client takes none. A missing or empty header takes anything; a member whose quality
 * cannot be read counts for nothing.
 */
export function chooseMediaType(accept: string | undefined, offered: readonly string[]): string | undefined {
  const preferences = preferencesOf(accept);
  let best: { type: string; quality: number } | undefined;
  for (const type of offered) {
    const quality = qualityOf(preferences, type);
    if (quality > (best?.quality ?? 0)) best = { type, quality };
  }
  return best?.type;
}

/** The most specific range decides: the type itself, `text/*`, then any type. Wildcards stand for no vendor type. */
function qualityOf(preferences: ReadonlyMap<string, number>, type: string): number {
  const own = preferences.get(type);
  if (own !== undefined || type.startsWith('application/vnd.')) return own ?? 0;
  const group = `${type.slice(0, type.indexOf('/'))}/*`;
  return preferences.get(group) ?? preferences.get('*/*') ?? 0;
}

/** The quality of each media range of an `Accept` header; of one that is named several times, the highest. */
function preferencesOf(accept = ''): ReadonlyMap<string, number> {
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
