import { LRUCache } from 'lru-cache';

import { PRODUCT } from '../../config/product.js';

/** The API version that answers a request. */
export interface NegotiatedVersion {
  readonly version: number;
}

/** Media ranges in lower case with their quality, in the order of the header. */
export type Preferences = ReadonlyMap<string, number>;

const ANYTHING: Preferences = new Map([['*/*', 1]]);

/** Members and parameters, cut at `,` and `;` outside quotes. Neither can fail half-way, so both are linear. */
const MEMBERS = /(?:[^",]|"(?:[^"\\]|\\[^])*"?)+/g;
const PARAMETERS = /(?:[^";]|"(?:[^"\\]|\\[^])*"?)+/g;

/** A qvalue of RFC 9110 §12.4.2, also without its leading zero (`q=.2`) and with more digits, as Java sends it. */
const QUALITY = /^(?:0?\.\d+|0\.?|1(?:\.0*)?)$/;

/** Enough for the clients there are; longer headers are not worth their memory. */
const REMEMBERED_HEADERS = 256;
const REMEMBERED_LENGTH = 256;

/** The vendor media type of a version: `application/vnd.<product>.v2+json`. */
export function vendorMediaType(version: number): string {
  return `application/vnd.${PRODUCT.slug}.v${version}+json`;
}

/**
 * Decides by the `Accept` header (RFC 9110 §12.5.1) which version answers. Null: nothing that the client takes
 * can be served (406). Never throws; linear in the length of the header.
 *
 * - Without a version in the path: the range of highest quality among the vendor types served, which mean their
 *   version, and JSON, which means the oldest version served. On equal quality a vendor type goes before JSON,
 *   for it names what is wanted, and of several vendor types the first listed.
 * - With a version in the path: that version, if JSON or its own vendor type is taken.
 *
 * JSON is what `application/json` says, else `application/*`, else any type; so `application/json;q=0` with any
 * type refuses JSON. Wildcards never stand for a vendor type. Parameters other than `q` are not looked at,
 * since JSON has none that change it (RFC 8259 §11). A missing or empty header takes anything; a member that
 * is no media range or whose quality cannot be read counts for nothing.
 *
 * @param served the versions in service, at least one, in any order
 * @param pathVersion null when the path names no version
 * @example negotiate(vendorMediaType(2), [1, 2], null) // { version: 2 }
 */
export function negotiate(
  accept: string | undefined,
  served: readonly number[],
  pathVersion: number | null,
): NegotiatedVersion | null {
  return choose(readPreferences(accept), served, pathVersion);
}

/** `negotiate` for fixed versions, remembering what it read in the headers used last. */
export function createNegotiator(
  served: readonly number[],
): (accept: string | undefined, pathVersion: number | null) => NegotiatedVersion | null {
  const remembered = new LRUCache<string, Preferences>({ max: REMEMBERED_HEADERS });
  return (accept, pathVersion) => {
    if (accept === undefined) return choose(ANYTHING, served, pathVersion);
    let preferences = remembered.get(accept);
    if (preferences === undefined) {
      preferences = readPreferences(accept);
      if (accept.length <= REMEMBERED_LENGTH) remembered.set(accept, preferences);
    }
    return choose(preferences, served, pathVersion);
  };
}

function choose(
  preferences: Preferences,
  served: readonly number[],
  pathVersion: number | null,
): NegotiatedVersion | null {
  const json =
    preferences.get('application/json') ?? preferences.get('application/*') ?? preferences.get('*/*') ?? 0;
  if (pathVersion !== null) {
    const isTaken = json > 0 || (preferences.get(vendorMediaType(pathVersion)) ?? 0) > 0;
    return isTaken ? { version: pathVersion } : null;
  }
  const named = bestNamed(preferences, served);
  if (named !== null && named.quality >= json) return { version: named.version };
  return json > 0 ? { version: Math.min(...served) } : null;
}

/** The served vendor type of highest quality that the header names. */
function bestNamed(
  preferences: Preferences,
  served: readonly number[],
): { version: number; quality: number } | null {
  let best: { version: number; quality: number } | null = null;
  for (const [range, quality] of preferences) {
    if (quality <= (best?.quality ?? 0)) continue;
    const version = served.find((candidate) => vendorMediaType(candidate) === range);
    if (version !== undefined) best = { version, quality };
  }
  return best;
}

/** The media ranges of an `Accept` header. Of one that is named several times, the highest quality counts. */
export function readPreferences(accept: string | undefined): Preferences {
  const members = (accept?.match(MEMBERS) ?? []).filter((member) => member.trim() !== '');
  if (members.length === 0) return ANYTHING;
  const preferences = new Map<string, number>();
  for (const member of members) {
    const [range = '', ...parameters] = (member.match(PARAMETERS) ?? []).map((part) => part.trim());
    const quality = readQuality(parameters);
    if (quality === null) continue;
    const type = range.toLowerCase();
    preferences.set(type, Math.max(quality, preferences.get(type) ?? 0));
  }
  return preferences;
}

/** 1 without `q`; null when `q` is no quality. */
function readQuality(parameters: readonly string[]): number | null {
  const weight = parameters.find((parameter) => /^q=/i.test(parameter));
  if (weight === undefined) return 1;
  const text = weight.slice('q='.length);
  return QUALITY.test(text) ? Number(text) : null;
}
