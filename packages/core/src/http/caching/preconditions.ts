import type { IncomingHttpHeaders } from 'node:http';

import { FastifyReply } from 'fastify';

import { ApiError } from '../errors/api-error.js';
import { HttpErrors } from '../errors/http.errors.js';
import { cacheControl } from './cache-policy.js';

/** The validators of the representation that a response contains (RFC 9110 §8.8). */
export interface CurrentRepresentation {
  readonly etag: string;
  /** The HTTP date of `Last-Modified`. `null` for lists, which have none. */
  readonly lastModified: string | null;
}

export const PRECONDITION_MESSAGES = {
  'If-Match': 'If-Match does not name the current version of the resource.',
  'If-Unmodified-Since': 'The resource has changed since the date of If-Unmodified-Since.',
  'If-None-Match': 'If-None-Match names the current version of the resource.',
};

export type FailedPrecondition = keyof typeof PRECONDITION_MESSAGES;

/**
 * The conditions of a write. The write checks them in its WHERE clause, or while it holds the lock of the row. Only
 * one of several writes with the same ETag can therefore succeed.
 */
export interface WritePreconditions {
  /** The row's version must be one of these. `null` allows any version. An empty list allows none. */
  readonly versions: readonly number[] | null;
  /** The row's last change, cut to the second, must not be later than this (epoch ms, whole seconds). */
  readonly unmodifiedSince: number | null;
  /** The row's version must not be one of these. `*` means that the row must not exist. `null` excludes nothing. */
  readonly noneOf: readonly number[] | '*' | null;
}

/** For a write without conditions. */
export const UNCONDITIONAL: WritePreconditions = Object.freeze({
  versions: null,
  unmodifiedSince: null,
  noneOf: null,
});

/**
 * The largest version, because the column is a PostgreSQL `integer`. A larger number in a header matches no row. It
 * must not reach a statement, where PostgreSQL would reject it.
 */
const MAX_VERSION = 2 ** 31 - 1;

/** Matches the version in a tag. The tag of the caller's current session ends in `-current`, which writes ignore. */
const VERSION = /^([1-9]\d{0,9})(?:-current)?$/;

/**
 * Matches the suffix that a compressing proxy adds to a tag. The comparison ignores this suffix. Any other suffix makes
 * a different tag.
 */
const CODING = /-(?:gzip|br|zstd|deflate)$/;

/**
 * Evaluates the conditions of a GET or HEAD that would otherwise respond 200, in the order of RFC 9110 §13.2.2. It
 * ignores malformed dates, and all dates if the resource has no `Last-Modified`. A malformed `If-Match` fails. A
 * malformed `If-None-Match` matches nothing. `If-Modified-Since` is then ignored as well, as with any `If-None-Match`.
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
 * Sets `ETag`, `Last-Modified` and `Cache-Control`, and evaluates the conditions of a GET or HEAD. A write has already
 * checked its conditions in its statement.
 * @returns whether the client's copy is current. If so, the status is set to 304, and the response must have no body.
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
      `${PRECONDITION_MESSAGES[outcome]} The current ETag is ${current.etag}.`,
    );
  return outcome === 'not-modified';
}

/**
 * Returns the prefix that all entity tags of a row share. It contains the id, because one path may show different rows,
 * such as `/users/me`.
 * @param representation the hash of the schema of the response
 */
export function entityTagPrefix(representation: string, id: number | string): string {
  return `${representation}-${id}`;
}

/**
 * Reads the conditions that a write must check. Tags of other rows and versions that are too large match nothing.
 * @param resource the prefix of the row's tags (`entityTagPrefix()`)
 */
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

/** Returns the first condition that a locked row does not meet, or `undefined` if the row meets all conditions. */
export function failedPrecondition(
  { versions, unmodifiedSince, noneOf }: WritePreconditions,
  row: { readonly version: number; readonly updatedAtMs: number },
): FailedPrecondition | undefined {
  if (versions !== null && !versions.includes(row.version)) return 'If-Match';
  // HTTP dates have whole seconds, so the client knows only in which second a change happened.
  const changedAt = Math.floor(row.updatedAtMs / 1000) * 1000;
  if (unmodifiedSince !== null && changedAt > unmodifiedSince) return 'If-Unmodified-Since';
  if (noneOf !== null && (noneOf === '*' || noneOf.includes(row.version))) return 'If-None-Match';
  return undefined;
}

/** `If-Match` compares strongly (RFC 9110 §8.8.3.2): a weak tag never matches. All tags of the service are strong. */
const isStrong = ({ weak }: EntityTag): boolean => !weak;
const isAny = (): boolean => true;

/**
 * Whether the tags of a header include the current tag. `*` includes every tag.
 * @param counts whether a tag of the header may match
 */
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

/** Whether the resource is unchanged since a date. Returns `null` if the resource or the header has no valid date. */
function isUnmodified({ lastModified }: CurrentRepresentation, since: string | undefined): boolean | null {
  const sinceMs = since === undefined ? null : parseHttpDate(since);
  const changedMs = lastModified === null ? null : parseHttpDate(lastModified);
  return sinceMs === null || changedMs === null ? null : changedMs <= sinceMs;
}

/** Returns the versions that a list of tags names for a row. A malformed list names no version. */
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

/** etagc: visible ASCII without the quote, and obs-text, which Node.js passes as U+0080 to U+00FF. */
const ETAGC = '[\\x21\\x23-\\x7e\\x80-\\xff]';

/**
 * Matches one member of a list, which may be empty, with the comma and the blanks after it. Each text can match in only
 * one way, so matching takes linear time.
 */
const MEMBER = new RegExp(`(?:(W/)?"(${ETAGC}*)"|)[ \\t]*(?:,[ \\t]*|$)`, 'y');

/**
 * Parses `If-Match` or `If-None-Match`: `"*" / #entity-tag` (RFC 9110 §13.1.1). Empty members are skipped (§5.6.1.2).
 * Takes time linear in the length of the header.
 * @returns `null` if any part is malformed
 */
export function parseEntityTags(header: string): '*' | readonly EntityTag[] | null {
  // `trim()` would also remove U+00A0, which is obs-text here, not a blank.
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

/**
 * Parses an HTTP date in any of its three forms (RFC 9110 §5.6.7).
 * @returns epoch milliseconds, or `null` if it is malformed
 */
export function parseHttpDate(text: string): number | null {
  const isAsctime = ASCTIME.test(text);
  if (!isAsctime && !IMF_FIXDATE.test(text) && !RFC_850.test(text)) return null;
  const time = Date.parse(isAsctime ? `${text} GMT` : text);
  // `Date.parse()` accepts 31 February as a day of March.
  return new Date(time).getUTCDate() === Number(/\d+/.exec(text)?.[0]) ? time : null;
}
