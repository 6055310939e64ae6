import { constants, Http2ServerRequest, Http2ServerResponse, ServerHttp2Stream } from 'node:http2';

import { timeLeft } from '../body/allowed-time.js';
import { fail, isListenedTo } from '../body/arrival.js';
import { ApiError } from '../errors/api-error.js';
import { REQUEST_TIMEOUT } from '../errors/http.errors.js';
import { Arriving } from './connections.js';
import { noteOpen } from './http2-sessions.js';
import { PiecewiseResponse } from './piecewise-response.js';
import { LIMITS } from './server-options.js';

/** Bounds that are announced to clients (RFC 9113 §6.5.2), and kept by resetting the streams beyond them. */
export const ANNOUNCED = {
  /** Requests that a client may have under way on one connection. */
  maxConcurrentStreams: 128,
  /** More than is served, so that what is too large is told so: see `areHeadersTooLarge`. */
  maxHeaderListSize: 4 * LIMITS.headerBytes,
};

/** As many fields as fit: each counts as 32 bytes beside its own (RFC 9113 §6.5.2). */
export const MAX_HEADER_FIELDS = ANNOUNCED.maxHeaderListSize / 32;

/** How soon it is looked again at a request that is late, while nobody reads it. */
const LOOK_AGAIN_MS = 1_000;

/**
 * How often it is looked whether a response is read. Clients let out 32 KiB at a time by default: one that reads 3 kB a
 * second is heard of every 11 seconds.
 */
const LOOK_AT_READING_MS = 3 * LIMITS.unreadTimeoutMs;

/** How long the reset of a stream that is cut may take to leave. */
const RESET_MS = 1_000;

/** How often it is looked whether the last frame of an answer has left. */
const LOOK_FOR_END_MS = 10;
const LOOKS_FOR_END = (2 * LIMITS.unreadTimeoutMs) / LOOK_FOR_END_MS;

/**
 * Keeps the bounds of time that `node:http` has for HTTP/1.1 alone: a request that does not arrive gets its 408, a
 * response that is not read is cut, and a stream ends with its response.
 */
export function limitStream(
  request: Http2ServerRequest,
  response: PiecewiseResponse,
  arriving: Set<Arriving>,
): void {
  const { stream } = response;
  noteOpen(stream);
  cutUnread(response);
  if (stream.endAfterHeaders) return;
  limitTime(request, response, LIMITS.requestTimeoutMs);
  const body = bodyOf(request, response);
  arriving.add(body);
  for (const over of ['end', 'close']) request.once(over, () => arriving.delete(body));
  // While the client does not end its request, the stream would stay open, and with it all that the request holds.
  const end = (): void => {
    endWithResponse(stream);
  };
  if (request.method === 'HEAD') response.onEnd = end;
  else stream.once('finish', end);
}

/** The body of a request, as a server that stops looks at it. */
function bodyOf(request: Http2ServerRequest, response: Http2ServerResponse): Arriving {
  const { stream } = request;
  return {
    get progress() {
      return stream.destroyed ? '' : String(stream.state.localWindowSize);
    },
    timeOut: () => {
      const isWaitedFor = isAwaited(request, response) && (stream.state.localWindowSize ?? 0) > 0;
      if (isWaitedFor) fail(request, tooLate());
    },
  };
}

/** Whether somebody reads a request that has neither come nor been answered. */
const isAwaited = (request: Http2ServerRequest, { headersSent }: Http2ServerResponse): boolean =>
  !request.destroyed && !request.readableEnded && !headersSent && isListenedTo(request);

const tooLate = (): ApiError => new ApiError(REQUEST_TIMEOUT, 'The request did not arrive in time.');

/** The client need not send the rest of a request that has its answer, once that is out (RFC 9113 §8.1). */
function endWithResponse(stream: ServerHttp2Stream, looks = 0): void {
  if (stream.destroyed || stream.closed || stream.readableEnded) return;
  if (stream.state.localClose === 1) stream.close(constants.NGHTTP2_NO_ERROR);
  // On a session that is broken it does not leave at all.
  else if (looks > LOOKS_FOR_END) stream.destroy();
  // The frame that ends the answer comes after all that was written, and has no event of its own.
  else setTimeout(endWithResponse, LOOK_FOR_END_MS, stream, looks + 1);
}

/** Whether the headers of a request are larger than those of HTTP/1.1 may be; its URL has a bound of its own. */
export function areHeadersTooLarge({ rawHeaders }: Http2ServerRequest): boolean {
  let bytes = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const [name = '', value = ''] = [rawHeaders[i], rawHeaders[i + 1]];
    if (name !== ':path') bytes += name.length + value.length;
  }
  return bytes > LIMITS.headerBytes;
}

function limitTime(request: Http2ServerRequest, response: Http2ServerResponse, ms: number): void {
  const end = (): void => {
    clearTimeout(timer);
    request.off('end', end);
    request.off('close', end);
  };
  const refuse = (): void => {
    if (request.readableEnded || response.headersSent) return;
    const leftMs = timeLeft(request as never);
    // The body waits for its turn, or is not asked for.
    if (leftMs > 0 || !isAwaited(request, response)) limitTime(request, response, leftMs || LOOK_AGAIN_MS);
    else fail(request, tooLate());
  };
  const timer = setTimeout(() => {
    end();
    // After what came while the process stood still: see `refuseLate`.
    if (!request.destroyed) setImmediate(refuse);
  }, ms);
  request.once('end', end);
  request.once('close', end);
}

/** Cuts a response of which nothing left between two looks. One that is still being made is waited for. */
function cutUnread(response: PiecewiseResponse): void {
  const { stream } = response;
  let last: number | undefined;
  const timer = setInterval(() => {
    // One that is whole and out leaves its stream open where the session is broken.
    const isWaiting = stream.writableLength > 0 || stream.writableEnded;
    if (isWaiting && response.piecesSent === last) cut(stream);
    last = isWaiting ? response.piecesSent : undefined;
  }, LOOK_AT_READING_MS).unref();
  stream.once('close', () => {
    clearInterval(timer);
  });
}

/** A client that broke the protocol is sent nothing any more, no reset either, and `node:http2` keeps its streams. */
function cut(stream: ServerHttp2Stream): void {
  if (!stream.closed) stream.close(constants.NGHTTP2_CANCEL);
  setTimeout(() => stream.destroy(), RESET_MS).unref();
}
