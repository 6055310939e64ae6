import { IncomingMessage } from 'node:http';

import { FastifyInstance, preParsingHookHandler } from 'fastify';

import { ApiError } from '../errors/api-error.js';
import { BAD_REQUEST, PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE } from '../errors/http.errors.js';
import { routePolicy } from '../route-policy.js';
import { readsBody } from '../methods.js';

/** Bounds on a form with files. Those on each of its parts are the interceptor's, see `docs/streams-and-uploads.md`. */
export interface UploadLimits {
  /** Of the whole request: 10 MiB. */
  readonly maxBytes?: number;
  /** How long it may take to arrive: 60. */
  readonly seconds?: number;
}

declare module '../route-policy.js' {
  interface RoutePolicy {
    /** The route takes a form with files, and no JSON. */
    upload?: UploadLimits;
  }
}

const MAX_BYTES = 10 * 1024 * 1024;
const SECONDS = 60;

/**
 * A route that takes `multipart/form-data`. Routes with an upload interceptor of NestJS (`FileInterceptor`) do without
 * saying so; this says what their requests may measure.
 *
 * @example @Upload({ maxBytes: 50 * MIB, seconds: 300 })
 */
export function Upload(limits: UploadLimits = {}): MethodDecorator {
  return routePolicy({ upload: limits });
}

const MULTIPART = /^multipart\/form-data\s*(?:;|$)/i;
/** RFC 2046 §5.1.1; the parser of forms fails on those that are much longer. */
const BOUNDARY = /;\s*boundary=(?:"[^"]{1,70}"|[^\s";]{1,70})\s*(?:;|$)/i;

/**
 * Keeps forms with files to the routes that take them: elsewhere they are 415, as the parser for them, once it is
 * there, is there for every route. Forms that announce too much are 413 before any of it is read.
 */
export function registerUploads(server: FastifyInstance): void {
  server.addHook('onRoute', (route) => {
    if (!readsBody(route)) return;
    const upload = route.config?.policy?.upload;
    route.preParsing = [...[route.preParsing ?? []].flat(), upload ? admitForms(upload) : refuseForms];
  });
}

const refuseForms: preParsingHookHandler = ({ headers }, _reply, payload, done) => {
  if (MULTIPART.test(headers['content-type'] ?? ''))
    done(new ApiError(UNSUPPORTED_MEDIA_TYPE, 'The path takes no files: send application/json.'));
  else done(null, payload);
};

function admitForms({ maxBytes = MAX_BYTES, seconds = SECONDS }: UploadLimits): preParsingHookHandler {
  return ({ headers, raw }, _reply, payload, done) => {
    if (!MULTIPART.test(headers['content-type'] ?? '')) {
      done(new ApiError(UNSUPPORTED_MEDIA_TYPE, 'The path takes files: send multipart/form-data.'));
      return;
    }
    if (!BOUNDARY.test(headers['content-type'] ?? '')) {
      done(new ApiError(BAD_REQUEST, 'The Content-Type takes a boundary of 1 to 70 characters.'));
      return;
    }
    const tooLarge = (): ApiError =>
      new ApiError(PAYLOAD_TOO_LARGE, `The form is larger than ${maxBytes} bytes.`);
    if (Number(headers['content-length'] ?? 0) > maxBytes) {
      done(tooLarge());
      return;
    }
    cutBeyond(raw, maxBytes);
    allowTime(raw, seconds * 1000);
    done(null, payload);
  };
}

/** Closes the connection of a request whose body turns out to be larger than it may, whatever was announced. */
function cutBeyond(request: IncomingMessage, maxBytes: number): void {
  let bytes = 0;
  // Paused, since listening would have it flow before somebody reads it.
  request.pause().on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxBytes) request.destroy();
  });
}

const deadlines = new WeakMap<IncomingMessage, number>();

/** Allows a request to arrive more slowly than others. @param ms from now */
function allowTime(request: IncomingMessage, ms: number): void {
  deadlines.set(request, performance.now() + ms);
}

/** Milliseconds that a request may go on arriving beyond the time of all requests; 0: none. */
export function timeLeft(request: IncomingMessage): number {
  return Math.max(0, (deadlines.get(request) ?? 0) - performance.now());
}
