import { IncomingMessage } from 'node:http';
import { constants, Http2ServerRequest } from 'node:http2';

import { mayHaveBody } from '../safe-methods.js';

/** Whether a body comes after the headers of a request. Over HTTP/2 no header need announce it (RFC 9113 §8.1). */
export function isBodyComing(request: IncomingMessage | Http2ServerRequest): boolean {
  if (!mayHaveBody(request.method)) return false;
  if ('stream' in request) return !request.stream.endAfterHeaders;
  const { 'transfer-encoding': coding, 'content-length': length = '0' } = request.headers;
  return coding !== undefined || length !== '0';
}

/**
 * Whether a request whose body has ended was given up by its client (RFC 9113 §8.1): `node:http2` ends the body as if
 * all of it had come, where that of HTTP/1.1 has an error.
 */
export function isCutOff(request: IncomingMessage | Http2ServerRequest): boolean {
  if (!('stream' in request)) return false;
  const { stream } = request;
  if (stream.endAfterHeaders) return false;
  return stream.destroyed || stream.closed;
}

/**
 * Ends a request whose body turns out to be larger than it may, whatever was announced: with an error, where it is not
 * its connection that ends.
 */
export function cutBeyond(
  request: IncomingMessage | Http2ServerRequest,
  maxBytes: number,
  tooLarge: () => Error,
): void {
  const push = request.push.bind(request);
  let bytes = 0;
  // Its own bytes: those of its connection are of all requests of a session. Listening to `data` would have it flow.
  request.push = (chunk: Buffer | null, encoding) => {
    bytes += chunk?.length ?? 0;
    if (bytes <= maxBytes) return push(chunk, encoding);
    request.push = push;
    end(request, tooLarge());
    return true;
  };
}

function end(request: IncomingMessage | Http2ServerRequest, error: Error): void {
  if (!('stream' in request)) request.destroy();
  else if (isListenedTo(request)) fail(request, error);
  else request.stream.close(constants.NGHTTP2_CANCEL);
}

/** Whether somebody reads a request. An error that nobody listens to would end the process. */
export const isListenedTo = (request: Http2ServerRequest): boolean => request.listenerCount('error') > 0;

/** Ends the body of a request with an error, whatever comes of it: readers of forms answer when it has ended. */
export function fail(request: Http2ServerRequest, error: Error): void {
  request.emit('error', error);
  request.push(null);
  request.push = () => true;
}
