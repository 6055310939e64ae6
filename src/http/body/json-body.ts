import { FastifyInstance } from 'fastify';
import { parse } from 'secure-json-parse';

import { ApiError } from '../errors/api-error.js';
import { INVALID_JSON, UNSUPPORTED_MEDIA_TYPE } from '../errors/http.errors.js';

/** Deepest nesting of arrays and objects that is read. */
const MAX_DEPTH = 20;

const utf8 = new TextDecoder('utf-8', { fatal: true });

const invalid = (message: string, cause?: unknown): ApiError =>
  new ApiError(INVALID_JSON, message, { cause });

/**
 * Reads bytes as JSON (RFC 8259): UTF-8 only, at most 20 levels deep, without `__proto__` and
 * `constructor.prototype`. Empty bytes are `undefined`: whether a body is needed, the route knows.
 *
 * @throws ApiError `INVALID_JSON`
 */
export function readJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch (error) {
    throw invalid('The body is not valid UTF-8.', error);
  }
  // Before parsing: the parser's own stack is what deep nesting exhausts.
  if (depthExceeds(text, MAX_DEPTH)) throw invalid(`The body is nested deeper than ${MAX_DEPTH} levels.`);
  try {
    return parse(text, null, { protoAction: 'error', constructorAction: 'error' });
  } catch (error) {
    throw invalid(`The body is not valid JSON: ${reasonOf(error)}`, error);
  }
}

/** The parser's reason without the excerpt of the body that it quotes: a body may hold a password. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  if (message.includes('forbidden prototype')) return 'it holds __proto__ or constructor.prototype.';
  const position = /at position (\d+)/.exec(message)?.[1];
  return position === undefined
    ? 'it ends too early or holds something unexpected.'
    : `unexpected text at position ${position}.`;
}

function depthExceeds(text: string, max: number): boolean {
  let depth = 0;
  let isInString = false;
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (isInString) {
      if (char === 92 /* \ */) i++;
      else if (char === 34 /* " */) isInString = false;
    } else if (char === 34) isInString = true;
    else if (char === 123 /* { */ || char === 91 /* [ */) {
      if (++depth > max) return true;
    } else if (char === 125 /* } */ || char === 93 /* ] */) depth--;
  }
  return false;
}

/** `application/json` and `application/…+json`, with parameters. */
const JSON_TYPE = /^application\/(?:json|[\w!#$&^.-]+\+json)\s*(?:;|$)/i;
const CHARSET = /;\s*charset\s*=\s*"?([^";\s]+)/i;

/** Makes JSON the only thing the server reads: forms and plain text, which browsers send unasked, are 415. */
export function registerJsonBody(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser(JSON_TYPE, { parseAs: 'buffer' }, (request, body, done) => {
    const charset = CHARSET.exec(request.headers['content-type'] ?? '')?.[1];
    if (charset && !/^utf-?8$/i.test(charset)) {
      done(new ApiError(UNSUPPORTED_MEDIA_TYPE, `The body is in ${charset.slice(0, 40)}; it takes UTF-8.`));
      return;
    }
    try {
      done(null, readJson(body as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
}
