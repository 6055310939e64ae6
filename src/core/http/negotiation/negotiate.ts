import { LRUCache } from 'lru-cache';

import { PRODUCT } from '../../config/product.js';

/** Media ranges in lower case with their quality, in the order of the header. */
type Preferences = ReadonlyMap<string, number>;

const ANYTHING: Preferences = new Map([['*/*', 1]]);

/** Members and parameters, cut at `,` and `;` outside quotes. Neither can fail half-way, so both are linear. */
const MEMBERS = /(?:[^",]|"(?:[^"\\]|\\[^])*"?)+/g;
const PARAMETERS = /(?:[^";]|"(?:[^"\\]|\\[^])*"?)+/g;

/** A qvalue of RFC 9110 §12.4.2, also without its leading zero (`q=.2`) and with more digits, as Java sends it. */
const QUALITY = /^(?:0?\.\d+|0\.?|1(?:\.0*)?)$/;

/** Enough for the clients there are; longer headers are not worth their memory. */
const REMEMBERED_LENGTH = 256;
const remembered = new LRUCache<string, Preferences>({ max: 256 });

/** The vendor media type of a version: `application/vnd.<product>.v2+json`. */
export function vendorMediaType(version: number): string {
  return `application/vnd.${PRODUCT.slug}.v${version}+json`;
}

/**
 * Decides by the `Accept` header (RFC 9110 §12.5.1) which version answers. Null: nothing that the client takes
 * can be served (406).
 *
 * - Without a version in the path: the range of highest quality among the vendor types served, which mean their
 *   version, and JSON, which means the oldest version served. On equal quality a vendor type goes before JSON,
 *   for it names what is wanted, and of several vendor types the first listed.
 * - With a version in the path: that version, if JSON or its own vendor type is taken.
 *
 * Wildcards never stand for a vendor type. A missing or empty header takes anything; a member that is no media range or
 * whose quality cannot be read counts for nothing.
 *
 * @param served the versions in service, at least one, in any order
 * @param pathVersion null when the path names no version
 */
export function negotiate(
  accept: string | undefined,
  served: readonly number[],
  pathVersion: number | null,
): number | null {
  const preferences = preferencesOf(accept);
  const json = qualityOf(preferences, 'application/json');
  if (pathVersion !== null) {
    const isTaken = json > 0 || (preferences.get(vendorMediaType(pathVersion)) ?? 0) > 0;
    return isTaken ? pathVersion : null;
  }
  let best: { version: number; quality: number } | undefined;
  for (const [range, quality] of preferences) {
    if (quality <= (best?.quality ?? 0)) continue;
    const version = served.find((candidate) => vendorMediaType(candidate) === range);
    if (version !== undefined) best = { version, quality };
  }
  if (best && best.quality >= json) return best.version;
  return json > 0 ? Math.min(...served) : null;
}

/**
 * Chooses among media types by `Accept`: the one of highest quality, of several the first that is produced.
 *
 * @returns `undefined` where the client takes none of them
 */
export function chooseMediaType(accept: string | undefined, produced: readonly string[]): string | undefined {
  const preferences = preferencesOf(accept);
  let best: { type: string; quality: number } | undefined;
  for (const type of produced) {
    const vendor = type === 'application/json' && [...preferences].find(isVendorJson)?.[1];
    const quality = vendor || qualityOf(preferences, type);
    if (quality > (best?.quality ?? 0)) best = { type, quality };
  }
  return best?.type;
}

/** A media type that names a version of the API implies JSON. */
const isVendorJson = ([range, quality]: [string, number]): boolean =>
  quality > 0 && /^application\/vnd\..+\.v\d+\+json$/.test(range);

/** The most specific range decides: the type itself, `text/*`, then any type. */
function qualityOf(preferences: Preferences, type: string): number {
  const group = `${type.slice(0, type.indexOf('/'))}/*`;
  return preferences.get(type) ?? preferences.get(group) ?? preferences.get('*/*') ?? 0;
}

/** The media ranges of an `Accept` header. Of one that is named several times, the highest quality counts. */
function preferencesOf(accept: string | undefined): Preferences {
  const known = accept === undefined ? ANYTHING : remembered.get(accept);
  if (known) return known;
  const members = (accept?.match(MEMBERS) ?? []).filter((member) => member.trim() !== '');
  if (members.length === 0) return ANYTHING;
  const preferences = new Map<string, number>();
  for (const member of members) {
    const [range = '', ...parameters] = (member.match(PARAMETERS) ?? []).map((part) => part.trim());
    const weight = parameters.find((parameter) => /^q=/i.test(parameter))?.slice('q='.length) ?? '1';
    if (!QUALITY.test(weight)) continue;
    const type = range.toLowerCase();
    preferences.set(type, Math.max(Number(weight), preferences.get(type) ?? 0));
  }
  if (accept !== undefined && accept.length <= REMEMBERED_LENGTH) remembered.set(accept, preferences);
  return preferences;
}
