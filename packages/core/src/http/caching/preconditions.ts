import type { IncomingHttpHeaders } from 'node:http';

import { FastifyReply } from 'fastify';

import { ApiError } from '../errors/api-error.js';
import { HttpErrors } from '../errors/http.errors.js';
import { cacheControl } from './cache-policy.js';

export interface CurrentRepresentation {
  readonly etag: string;
  /** As it stands in `Last-Modified`, an HTTP date. Null where there is none: lists. */
  readonly lastModified: string | null;
}

export const PRECONDITION_MESSAGES = {
  'If-Match': 'If-Match does not name the current version of the resource.',
  'If-Unmodified-Since': 'The resource has changed since the date of If-Unmodified-Since.',
  'If-None-Match': 'If-None-Match names the current version of the resource.',
};

export type FailedPrecondition = keyof typeof PRECONDITION_MESSAGES;

/** The conditions that a write checks in its own WHERE or under its lock, so that of several with one ETag one wins. */
export interface WritePreconditions {
  /** The row's version must be one of these. Null: any will do. Empty: none can match. */
  readonly versions: readonly number[] | null;
  /** The row's last change, cut to the second, must not be later than this (epoch ms, whole seconds). */
  readonly unmodifiedSince: number | null;
  /** The row's version must be none of these; `*`: the row must not exist. Null: nothing is excluded. */
  readonly noneOf: readonly number[] | '*' | null;
}

/** The conditions of a write that has none. */
export const UNCONDITIONAL: WritePreconditions = Object.freeze({
  versions: null,
  unmodifiedSince: null,
  noneOf: null,
});

/** Versions are PostgreSQL `integer`; a larger number in a header is no row's, and must not reach a statement. */
const MAX_VERSION = 2 ** 31 - 1;

/** A version, and whether it was shown as the current one of several, which makes no difference to a write. */
const VERSION = /^([1-9]\d{0,9})(?:-current)?$/;

/** The addition of a compressing proxy to a tag. The tag is the same without it; any other addition counts. */
const CODING = /-(?:gzip|br|zstd|deflate)$/;

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
  if (ifMatch !== undefined) {
    if (!includesCurrentTag(ifMatch, current, isStrong)) return 'If-Match';
  } else if (isUnmodified(current, headers['if-unmodified-since']) === false) return 'If-Unmodified-Since';
  const isCurrent =
    ifNoneMatch === undefined
      ? isUnmodified(current, headers['if-modified-since']) === true
      : includesCurrentTag(ifNoneMatch, current, isAny);
  return isCurrent ? 'not-modified' : 'proceed';
}

/**
 * Puts validators and `Cache-Control` on a response, and judges the conditions of a GET or HEAD; a write has judged its
 * own in its statement. @returns whether the client's copy is current: the status is 304, and there is no body
 * @throws ApiError `PRECONDITION_FAILED`
 */
export function applyValidators(reply: FastifyReply, current: CurrentRepresentation): boolean {
  const { headers, method } = reply.request.raw;
  void reply.header('etag', current.etag).header('cache-control', cacheControl(reply.request));
  if (current.lastModified !== null) void reply.header('last-modified', current.lastModified);
  if (method !== 'GET' && method !== 'HEAD') return false;
  const outcome = evaluateRead(headers, current);
  if (outcome === 'not-modified') void reply.code(304);
  else if (outcome !== 'proceed')
    throw new ApiError(
      HttpErrors.PRECONDITION_FAILED,
      `${PRECONDITION_MESSAGES[outcome]} It is now ${current.etag}.`,
    );
  return outcome === 'not-modified';
}

/** The common prefix of the entity tags of a row. Its id tells apart the rows that `/users/me` shows. */
export function entityTagPrefix(representation: string, id: number | string): string {
  return `${representation}-${id}`;
}

/** The conditions of a write as what its statement must check. Tags of other rows and impossible versions match nothing. */
export function readPreconditions(headers: IncomingHttpHeaders, resource: string): WritePreconditions {
  const ifMatch = headers['if-match'];
  const ifNoneMatch = headers['if-none-match'];
  const since = headers['if-unmodified-since'];
  const versions = ifMatch === undefined ? '*' : parseVersions(ifMatch, resource, isStrong);
  const noneOf = ifNoneMatch === undefined ? [] : parseVersions(ifNoneMatch, resource, isAny);
  return {
    versions: versions === '*' ? null : versions,
    unmodifiedSince: ifMatch !== undefined || since === undefined ? null : parseHttpDate(since),
    noneOf: noneOf.length === 0 ? null : noneOf,
  };
}

/** The first condition that keeps a locked row from being written; `undefined`: none does. */
export function failedPrecondition(
  { versions, unmodifiedSince, noneOf }: WritePreconditions,
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
const isStrong = ({ weak }: EntityTag): boolean => !weak;
const isAny = (): boolean => true;

/** Whether the tags of a header include the current one; `*` includes every one there is. */
function includesCurrentTag(
  header: string,
  { etag }: CurrentRepresentation,
  counts: typeof isStrong,
): boolean {
  const tags = parseEntityTags(header);
  const current = etag.slice(1, -1).replace(CODING, '');
  return (
    tags === '*' || (tags ?? []).some((tag) => counts(tag) && tag.opaque.replace(CODING, '') === current)
  );
}

/** Null when the comparison cannot be made: no date of the resource, or none in the header. */
function isUnmodified({ lastModified }: CurrentRepresentation, since: string | undefined): boolean | null {
  const sinceMs = since === undefined ? null : parseHttpDate(since);
  const changedMs = lastModified === null ? null : parseHttpDate(lastModified);
  return sinceMs === null || changedMs === null ? null : changedMs <= sinceMs;
}

/** The row versions that a list of tags names; a malformed list names none. */
function parseVersions(header: string, resource: string, counts: typeof isStrong): number[] | '*' {
  const tags = parseEntityTags(header);
  if (tags === '*') return '*';
  const prefix = `${resource}-`;
  const versions: number[] = [];
  for (const tag of tags ?? []) {
    if (!counts(tag) || !tag.opaque.startsWith(prefix)) continue;
    const version = Number(VERSION.exec(tag.opaque.slice(prefix.length).replace(CODING, ''))?.[1]);
    if (version <= MAX_VERSION) versions.push(version);
  }
  return versions;
}

/** An entity tag, RFC 9110 §8.8.3: `W/"abc"` is `{ weak: true, opaque: 'abc' }`. */
export interface EntityTag {
  readonly weak: boolean;
  readonly opaque: string;
}

/** etagc: visible ASCII without the quote, and obs-text, which node hands out as U+0080 to U+00FF. */
const ETAGC = '[\\x21\\x23-\\x7e\\x80-\\xff]';

/** One member, or none, with the comma and the blanks behind it. No two parts can take the same character. */
const MEMBER = new RegExp(`(?:(W/)?"(${ETAGC}*)"|)[ \\t]*(?:,[ \\t]*|$)`, 'y');

/**
 * Reads `If-Match` or `If-None-Match`: `"*" / #entity-tag` (RFC 9110 §13.1.1), whose empty members are passed over
 * (§5.6.1.2); `null`: malformed in any place. Takes time linear in the length.
 */
export function parseEntityTags(header: string): '*' | readonly EntityTag[] | null {
  // `trim()` would also cut U+00A0, obs-text.
  const text = header.replace(/^[ \t]+/, '');
  if (text === '*') return '*';
  const tags: EntityTag[] = [];
  let position = 0;
  while (position < text.length) {
    MEMBER.lastIndex = position;
    const member = MEMBER.exec(text);
    if (member === null) return null;
    if (member[2] !== undefined) tags.push({ weak: member[1] !== undefined, opaque: member[2] });
    position = MEMBER.lastIndex;
  }
  return tags;
}

const DAY = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const TIME = '(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d';

const IMF_FIXDATE = new RegExp(`^${DAY}, \\d\\d ${MONTH} \\d{4} ${TIME} GMT$`);
const RFC_850 = new RegExp(`^${DAY}[a-z]*day, \\d\\d-${MONTH}-\\d\\d ${TIME} GMT$`);
const ASCTIME = new RegExp(`^${DAY} ${MONTH} [ \\d]\\d ${TIME} \\d{4}$`);

/** The time of an HTTP date of any form (RFC 9110 §5.6.7), in epoch milliseconds; `null`: it is none. */
export function parseHttpDate(text: string): number | null {
  const isAsctime = ASCTIME.test(text);
  if (!isAsctime && !IMF_FIXDATE.test(text) && !RFC_850.test(text)) return null;
  const time = Date.parse(isAsctime ? `${text} GMT` : text);
  // `Date.parse()` takes 31 February for a day of March.
  return new Date(time).getUTCDate() === Number(/\d+/.exec(text)?.[0]) ? time : null;
}
