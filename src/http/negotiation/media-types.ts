import { LRUCache } from 'lru-cache';

import { readPreferences, Preferences } from './negotiate.js';

const REMEMBERED = 64;
const REMEMBERED_LENGTH = 256;

/**
 * Chooses among media types by `Accept` (RFC 9110 §12.5.1): the one of highest quality, of several the first that is
 * produced. It remembers what it read in the headers used last.
 *
 * @returns `undefined` where the client takes none of them
 */
export function createMediaTypeNegotiator(
  produced: readonly string[],
): (accept: string | undefined) => string | undefined {
  const remembered = new LRUCache<string, { type: string | undefined }>({ max: REMEMBERED });
  return (accept) => {
    if (accept === undefined) return produced[0];
    const known = remembered.get(accept);
    if (known) return known.type;
    const type = choose(readPreferences(accept), produced);
    if (accept.length <= REMEMBERED_LENGTH) remembered.set(accept, { type });
    return type;
  };
}

function choose(preferences: Preferences, produced: readonly string[]): string | undefined {
  let best: { type: string; quality: number } | undefined;
  for (const type of produced) {
    const quality = qualityOf(preferences, type);
    if (quality > (best?.quality ?? 0)) best = { type, quality };
  }
  return best?.type;
}

const JSON_TYPE = 'application/json';
/** A media type that names a version of the API implies JSON. */
const VENDOR_JSON = /^application\/vnd\..+\.v\d+\+json$/;

/** The most specific range decides: the type itself, `text/*`, then any type. */
function qualityOf(preferences: Preferences, type: string): number {
  const group = `${type.slice(0, type.indexOf('/'))}/*`;
  if (type === JSON_TYPE)
    for (const [range, quality] of preferences) if (quality > 0 && VENDOR_JSON.test(range)) return quality;
  return preferences.get(type) ?? preferences.get(group) ?? preferences.get('*/*') ?? 0;
}
