import { setImmediate as nextTurn } from 'node:timers/promises';

import { fastify, FastifyInstance, FastifyRequest, preParsingAsyncHookHandler } from 'fastify';

import { ApiError } from '../errors/api-error.js';
import { HttpErrors } from '../errors/http.errors.js';
import { truncateText } from '../errors/truncate-text.js';
import { RoutePolicy } from '../../routes/route-policy.js';
import { readsBody } from '../methods.js';
import { findLimitViolation, rememberNumberSources } from './json-text.js';

const utf8Decoder = new TextDecoder('utf-8', { fatal: true });

/** Fastify's parser, which rejects `__proto__` and `constructor.prototype`. It is the same in every Fastify server. */
const parser = fastify().getDefaultJsonParser('error', 'error') as (
  request: unknown,
  text: string,
  done: (error: Error | null, value?: unknown) => void,
) => void;

const invalidJson = (message: string, cause?: unknown): ApiError =>
  new ApiError(HttpErrors.INVALID_JSON, message, { cause });

/**
 * Parses a JSON body (RFC 8259). The body must be in UTF-8, at most 20 levels deep, and have at most 20,000 values. It
 * must not contain `__proto__` or `constructor.prototype`.
 * @returns `undefined` for an empty body, because some routes need no body
 * @throws ApiError `INVALID_JSON`
 */
export function readJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  let text: string;
  try {
    text = utf8Decoder.decode(bytes);
  } catch (error) {
    throw invalidJson('The body is not valid UTF-8.', error);
  }
  // Check the limits before parsing. Deep nesting would overflow the stack of recursive code, and many values would
  // take long to process.
  const excess = findLimitViolation(text);
  if (excess !== undefined) throw invalidJson(`The body ${excess}.`);
  let value: unknown;
  parser(undefined, text, (error, parsed) => {
    if (error) throw invalidJson(`The body is not valid JSON: ${describeJsonError(text)}`, error);
    value = parsed;
  });
  rememberNumberSources(text, value);
  return value;
}

/**
 * Returns why a text is not valid JSON. Quotes nothing of the text, unlike the error of `JSON.parse()`, because a body
 * may contain a password.
 */
function describeJsonError(text: string): string {
  try {
    JSON.parse(text);
    return 'it contains __proto__ or constructor.prototype.';
  } catch (error) {
    const position = /at position (\d+)/.exec((error as Error).message)?.[1];
    return position === undefined
      ? 'it ends too early, or contains unexpected text.'
      : `unexpected text at position ${position}.`;
  }
}

/**
 * Returns the error for a body that is not JSON.
 * @param type the `Content-Type` of the body
 */
export function unsupportedMediaType(type: string | undefined, cause: unknown): ApiError {
  const shown = (type ?? '').replaceAll(/[^\x20-\x7e]/g, '?');
  const got = shown.trim() === '' ? 'none' : truncateText(shown, 80);
  return new ApiError(
    HttpErrors.UNSUPPORTED_MEDIA_TYPE,
    `The Content-Type must be application/json, or end in +json (got ${got}).`,
    { cause },
  );
}

const JSON_TYPE_PATTERN = /^application\/(?:json|[\w!#$&^.-]+\+json)\s*(?:;|$)/i;

export const isJsonType = (contentType: string): boolean => JSON_TYPE_PATTERN.test(contentType);
const CHARSET = /;\s*charset\s*=\s*"?([^";\s]+)/i;

/** A body above this size waits for a turn of the event loop in which no other large body is parsed. */
const LARGE_BYTES = 64 * 1024;

let lastTurn = Promise.resolve();

/** Waits for a turn of the event loop in which no other large body is parsed. */
const waitForOwnTurn = (): Promise<void> => (lastTurn = lastTurn.then(() => nextTurn()));

/** Prepares the reading of a body. Runs after all checks that can reject a request without its body. */
const prepareBody: preParsingAsyncHookHandler = async (request, reply, payload) => {
  const { headers, raw, routeOptions } = request;
  const { 'content-encoding': encoding = 'identity', 'content-length': length = 0, expect } = headers;
  if (!/^\s*identity\s*$/i.test(encoding)) {
    const message = `The body must not be encoded (got ${JSON.stringify(encoding.slice(0, 40))}).`;
    // The header says which encoding is accepted (RFC 9110 §15.5.16).
    throw new ApiError(HttpErrors.UNSUPPORTED_MEDIA_TYPE, message, {
      headers: { 'accept-encoding': 'identity' },
    });
  }
  // Ask for the body, unless it is too large and will be rejected. HTTP/1.0 has no interim responses (RFC 9110 §15.2).
  const isAsked = expect !== undefined && raw.httpVersion !== '1.0';
  if (isAsked && Number(length) <= routeOptions.bodyLimit) reply.raw.writeContinue();
  // Start to read only one large body per turn of the event loop. Bodies that arrive slowly are then read in parallel.
  if ('transfer-encoding' in headers || Number(length) > LARGE_BYTES) await waitForOwnTurn();
  return payload;
};

/**
 * Makes JSON the only media type that the server reads. Other types get 415. Among them are forms and plain text, which
 * a page of any origin could send without a preflight request.
 * @param maxBytes returns the size limit for the body of a route, or `undefined` for the general limit
 */
export function registerJsonBody(
  server: FastifyInstance,
  maxBytes?: (policy: RoutePolicy) => number | undefined,
): void {
  server.addHook('onRoute', (route) => {
    route.bodyLimit ??= maxBytes?.(route.config?.policy ?? {});
    if (readsBody(route)) route.preParsing = [prepareBody, ...[route.preParsing ?? []].flat()];
  });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser(
    JSON_TYPE_PATTERN,
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      const charset = CHARSET.exec(request.headers['content-type'] ?? '')?.[1];
      if (charset && !/^utf-?8$/i.test(charset))
        throw new ApiError(
          HttpErrors.UNSUPPORTED_MEDIA_TYPE,
          `The body must be in UTF-8 (got ${charset.slice(0, 40)}).`,
        );
      // Routes need the bytes, for example to verify the signature of a webhook.
      request.rawBody = body;
      if (body.length > LARGE_BYTES) await waitForOwnTurn();
      return readJson(body);
    },
  );
}
