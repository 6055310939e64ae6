import type { IncomingHttpHeaders } from 'node:http';

import { type EntityTag, parseEntityTags } from './entity-tag.js';
import { parseHttpDate } from './http-date.js';

/** The validators of the representation that a request selects. */
export interface CurrentRepresentation {
  /** As it stands in the `ETag` header. */
  readonly etag: string;
  /** As it stands in `Last-Modified`, an HTTP date. Null where there is none: lists. */
  readonly lastModified: string | null;
}

/** A header whose condition is answered with 412 where it fails. */
export type FailedPrecondition = 'If-Match' | 'If-Unmodified-Since' | 'If-None-Match';

/** The message of a 412, by the header whose condition fails. */
export const PRECONDITION_MESSAGES: Readonly<Record<FailedPrecondition, string>> = {
  'If-Match': 'If-Match does not name the current version of the resource.',
  'If-Unmodified-Since': 'The resource has changed since the date of If-Unmodified-Since.',
  'If-None-Match': 'If-None-Match names the current version of the resource.',
};

/**
 * Conditions that an UPDATE or DELETE of a row checks in its own WHERE, so that of several writers with one ETag one
 * wins. All three must hold; `failedPrecondition` is the same decision in JavaScript.
 */
export interface Preconditions {
  /** The row's version must be one of these. Null: any will do. Empty: none can match. */
  readonly versions: readonly number[] | null;
  /** The row's last change, cut to the second, must not be later than this (epoch ms, whole seconds). */
  readonly unmodifiedSince: number | null;
  /** The row's version must be none of these; `*`: the row must not exist. Null: nothing is excluded. */
  readonly noneOf: readonly number[] | '*' | null;
}

/** The conditions of a write that has none. */
export const UNCONDITIONAL: Preconditions = Object.freeze({
  versions: null,
  unmodifiedSince: null,
  noneOf: null,
});

/** Versions are PostgreSQL `integer`; a larger number in a header is no row's, and must not reach a statement. */
const MAX_VERSION = 2 ** 31 - 1;

const VERSION = /^[1-9]\d{0,9}$/;

/**
 * Decides a conditional GET or HEAD that would be 200 without its conditions, in the order of RFC 9110 §13.2.2. Dates
 * that are no HTTP dates are ignored, and so are dates where the resource has none. A malformed `If-Match` is failed; a
 * malformed `If-None-Match` matches nothing, and still puts `If-Modified-Since` out of force.
 */
export function evaluateRead(
  headers: IncomingHttpHeaders,
  current: CurrentRepresentation,
): 'proceed' | 'not-modified' | FailedPrecondition {
  const ifMatch = headers['if-match'];
  const ifNoneMatch = headers['if-none-match'];
  const unmodifiedSince = headers['if-unmodified-since'];
  const modifiedSince = headers['if-modified-since'];
  if (ifMatch !== undefined) {
    if (!includes(ifMatch, current, isStrong)) return 'If-Match';
  } else if (unmodifiedSince !== undefined && isUnmodified(current, unmodifiedSince) === false)
    return 'If-Unmodified-Since';
  const isCurrent =
    ifNoneMatch === undefined
      ? modifiedSince !== undefined && isUnmodified(current, modifiedSince) === true
      : includes(ifNoneMatch, current, isAny);
  return isCurrent ? 'not-modified' : 'proceed';
}

/**
 * The common prefix of all entity tags of a row: `<representation>-<id>`. With the id in it, rows that
 * one URL shows to different callers (`/users/me`) have different tags.
 *
 * @param representation a short hash of the response's schema, `[0-9a-f]{6,}`
 */
export function taggedResource(representation: string, id: number | string): string {
  return `${representation}-${id}`;
}

/** The strong entity tag of a row, `"<representation>-<id>-<version>"`. @param resource of `taggedResource` */
export function rowEntityTag(resource: string, version: number): string {
  return `"${resource}-${version}"`;
}

/**
 * The conditions of a write to a row as what its statement must check. Tags of another row or representation, and
 * versions that no row can have, match nothing.
 *
 * @param resource what `taggedResource` gives
 * @example preconditionsOf({ 'if-match': '"a1b2c3-42-7"' }, 'a1b2c3-42').versions // [7]
 */
export function preconditionsOf(headers: IncomingHttpHeaders, resource: string): Preconditions {
  const ifMatch = headers['if-match'];
  const ifNoneMatch = headers['if-none-match'];
  const since = headers['if-unmodified-since'];
  const versions = ifMatch === undefined ? '*' : listedVersions(ifMatch, resource, isStrong);
  const noneOf = ifNoneMatch === undefined ? [] : listedVersions(ifNoneMatch, resource, isAny);
  return {
    versions: versions === '*' ? null : versions,
    unmodifiedSince: ifMatch !== undefined || since === undefined ? null : parseHttpDate(since),
    noneOf: noneOf.length === 0 ? null : noneOf,
  };
}

/**
 * The first condition that keeps a row that exists from being written; `undefined`: it may be written. For rows held
 * under a lock, and to say why a statement has written none.
 */
export function failedPrecondition(
  { versions, unmodifiedSince, noneOf }: Preconditions,
  row: { readonly version: number; readonly updatedAtMs: number },
): FailedPrecondition | undefined {
  if (versions !== null && !versions.includes(row.version)) return 'If-Match';
  // HTTP dates have no fraction; what a client was told is the second that a change fell in.
  const changedAt = Math.floor(row.updatedAtMs / 1000) * 1000;
  if (unmodifiedSince !== null && changedAt > unmodifiedSince) return 'If-Unmodified-Since';
  if (noneOf !== null && (noneOf === '*' || noneOf.includes(row.version))) return 'If-None-Match';
  return undefined;
}

/** Which tags count: tags that the service gives are strong, so strong comparison is with strong ones (§8.8.3.2). */
type Counts = (tag: EntityTag) => boolean;
const isStrong: Counts = ({ weak }) => !weak;
const isAny: Counts = () => true;

/** Whether the tags of a header include the current one; `*` includes every one there is. */
function includes(header: string, { etag }: CurrentRepresentation, counts: Counts): boolean {
  const tags = parseEntityTags(header);
  return tags === '*' || (tags ?? []).some((tag) => counts(tag) && `"${tag.opaque}"` === etag);
}

/** Null when the comparison cannot be made: no date of the resource, or none in the header. */
function isUnmodified({ lastModified }: CurrentRepresentation, since: string): boolean | null {
  const sinceMs = parseHttpDate(since);
  const changedMs = lastModified === null ? null : parseHttpDate(lastModified);
  return sinceMs === null || changedMs === null ? null : changedMs <= sinceMs;
}

/** The row versions that a list of tags names; a malformed list names none. */
function listedVersions(header: string, resource: string, counts: Counts): number[] | '*' {
  const tags = parseEntityTags(header);
  if (tags === '*') return '*';
  const prefix = `${resource}-`;
  const versions: number[] = [];
  for (const tag of tags ?? []) {
    if (!counts(tag) || !tag.opaque.startsWith(prefix)) continue;
    const digits = tag.opaque.slice(prefix.length);
    if (VERSION.test(digits) && Number(digits) <= MAX_VERSION) versions.push(Number(digits));
  }
  return versions;
}
