import type { IncomingHttpHeaders } from 'node:http';

import { type EntityTag, parseEntityTags, strongMatch, weakMatch } from './entity-tag.js';
import { parseHttpDate } from './http-date.js';

/** The conditional headers of a request as they were sent; `undefined` is a header that was not. */
export interface PreconditionHeaders {
  readonly ifMatch?: string;
  readonly ifNoneMatch?: string;
  readonly ifModifiedSince?: string;
  readonly ifUnmodifiedSince?: string;
}

/** A request with its method in capitals, as node gives it. */
export interface ConditionalRequest extends PreconditionHeaders {
  readonly method: string;
}

/** The validators of the representation that a request selects. */
export interface CurrentRepresentation {
  /** As it stands in the `ETag` header. */
  readonly etag: string;
  /** As it stands in `Last-Modified`, an HTTP date. Null where there is none: lists. */
  readonly lastModified: string | null;
}

/** `not-modified` is answered with 304, `failed` with 412. */
export type PreconditionOutcome = 'proceed' | 'not-modified' | 'failed';

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

/** The result of `readPreconditions` for a request without conditional headers, always this object. */
export const NO_PRECONDITIONS: PreconditionHeaders = Object.freeze({});

/** The result of `preconditionsOf` where any row may be written, always this object. */
export const UNCONDITIONAL: Preconditions = Object.freeze({
  versions: null,
  unmodifiedSince: null,
  noneOf: null,
});

/** Versions are PostgreSQL `integer`; a larger number in a header is no row's, and must not reach a statement. */
const MAX_VERSION = 2 ** 31 - 1;

const VERSION = /^[1-9]\d{0,9}$/;

/** Picks the conditional headers out of a request. */
export function readPreconditions(headers: IncomingHttpHeaders): PreconditionHeaders {
  const ifMatch = headers['if-match'];
  const ifNoneMatch = headers['if-none-match'];
  const ifModifiedSince = headers['if-modified-since'];
  const ifUnmodifiedSince = headers['if-unmodified-since'];
  const isUnconditional =
    ifMatch === undefined &&
    ifNoneMatch === undefined &&
    ifModifiedSince === undefined &&
    ifUnmodifiedSince === undefined;
  return isUnconditional ? NO_PRECONDITIONS : { ifMatch, ifNoneMatch, ifModifiedSince, ifUnmodifiedSince };
}

/**
 * Decides a conditional request, in the order of RFC 9110 §13.2.2 (without its step 5: ranges are not served).
 * To be asked only when the answer would be 2xx without the conditions (§13.2.1). Never throws.
 *
 * Dates that are no HTTP dates are ignored, and so are dates where the resource has none (§13.1.3, §13.1.4). A
 * malformed `If-Match` is failed, since it must not let a write pass; a malformed `If-None-Match` matches
 * nothing, and still puts `If-Modified-Since` out of force.
 *
 * @param current null when there is no current representation
 */
export function evaluatePreconditions(
  request: ConditionalRequest,
  current: CurrentRepresentation | null,
): PreconditionOutcome {
  const { method, ifMatch, ifNoneMatch, ifModifiedSince, ifUnmodifiedSince } = request;
  if (selectsNothing(method)) return 'proceed';

  // Steps 1 and 2.
  if (ifMatch !== undefined) {
    if (!includes(ifMatch, current, strongMatch)) return 'failed';
  } else if (ifUnmodifiedSince !== undefined) {
    if (isUnmodified(current, ifUnmodifiedSince) === false) return 'failed';
  }

  // Steps 3 and 4.
  const isSafe = method === 'GET' || method === 'HEAD';
  if (ifNoneMatch !== undefined) {
    if (includes(ifNoneMatch, current, weakMatch)) return isSafe ? 'not-modified' : 'failed';
  } else if (ifModifiedSince !== undefined && isSafe) {
    if (isUnmodified(current, ifModifiedSince) === true) return 'not-modified';
  }
  return 'proceed';
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

/**
 * The strong entity tag of a row: `"<representation>-<id>-<version>"`.
 *
 * @param resource what `taggedResource` gives
 * @param version the row's version, from 1
 */
export function rowEntityTag(resource: string, version: number): string {
  return `"${resource}-${version}"`;
}

/**
 * The conditions of a write as what its statement must check: `evaluatePreconditions` for a method that is
 * neither GET nor HEAD and a row whose tag is `rowEntityTag(resource, row.version)`.
 *
 * Tags of another row or representation, and versions that no row can have, match nothing.
 *
 * @param resource what `taggedResource` gives
 * @example preconditionsOf({ ifMatch: '"a1b2c3-42-7"' }, 'a1b2c3-42').versions // [7]
 */
export function preconditionsOf(preconditions: PreconditionHeaders, resource: string): Preconditions {
  const { ifMatch, ifNoneMatch, ifUnmodifiedSince } = preconditions;
  const versions = ifMatch === undefined ? '*' : listedVersions(ifMatch, resource, isStrong);
  const unmodifiedSince =
    ifMatch !== undefined || ifUnmodifiedSince === undefined ? null : parseHttpDate(ifUnmodifiedSince);
  const noneOf = ifNoneMatch === undefined ? [] : listedVersions(ifNoneMatch, resource, isAny);
  if (versions === '*' && unmodifiedSince === null && noneOf.length === 0) return UNCONDITIONAL;
  return {
    versions: versions === '*' ? null : versions,
    unmodifiedSince,
    noneOf: noneOf.length === 0 ? null : noneOf,
  };
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
 * The first condition that keeps a row that exists from being written; `undefined`: it may be written. For rows held
 * under a lock, and to say why a statement has written none.
 */
export function failedPrecondition(
  conditions: Preconditions,
  row: { readonly version: number; readonly updatedAtMs: number },
): FailedPrecondition | undefined {
  const { versions, unmodifiedSince, noneOf } = conditions;
  if (versions !== null && !versions.includes(row.version)) return 'If-Match';
  if (unmodifiedSince !== null && wholeSeconds(row.updatedAtMs) > unmodifiedSince)
    return 'If-Unmodified-Since';
  if (noneOf !== null && (noneOf === '*' || noneOf.includes(row.version))) return 'If-None-Match';
  return undefined;
}

/** Methods whose conditional headers are ignored, RFC 9110 §13.2.1. */
function selectsNothing(method: string): boolean {
  return method === 'OPTIONS' || method === 'TRACE' || method === 'CONNECT';
}

/** Whether the tags of a header include the current one; `*` includes every one there is. */
function includes(
  header: string,
  current: CurrentRepresentation | null,
  match: (a: EntityTag, b: EntityTag) => boolean,
): boolean {
  if (current === null) return false;
  // The usual case: the one tag that was given, and a strong one.
  if (header === current.etag && header.startsWith('"')) return true;
  const tags = parseEntityTags(header);
  if (tags === null || tags === '*') return tags === '*';
  const own = parseEntityTags(current.etag);
  return own !== null && own !== '*' && own.some((ownTag) => tags.some((tag) => match(tag, ownTag)));
}

/** Null when the comparison cannot be made: no date of the resource, or none in the header. */
function isUnmodified(current: CurrentRepresentation | null, since: string): boolean | null {
  if (current === null || current.lastModified === null) return null;
  const sinceMs = parseHttpDate(since);
  const lastModifiedMs = parseHttpDate(current.lastModified);
  return sinceMs === null || lastModifiedMs === null ? null : lastModifiedMs <= sinceMs;
}

/** HTTP dates have no fraction; what a client was told is the second that a change fell in. */
function wholeSeconds(epochMs: number): number {
  return Math.floor(epochMs / 1000) * 1000;
}

/** The row versions that a list of tags names; a malformed list names none. */
function listedVersions(
  header: string,
  resource: string,
  counts: (tag: EntityTag) => boolean,
): number[] | '*' {
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

/** A row's own tag is strong, so only strong tags match it strongly. */
function isStrong(tag: EntityTag): boolean {
  return !tag.weak;
}

function isAny(): boolean {
  return true;
}
