import { IncomingMessage } from 'node:http';
import { Http2ServerRequest } from 'node:http2';

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS', 'TRACE'];

/** Whether a method, in capitals, is read-only (RFC 9110 §9.2.1). */
export const isSafeMethod = (method: string): boolean => SAFE_METHODS.includes(method);

/** Methods whose body Fastify reads. */
const BODY_METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'];

/** Whether the body of a request with this method, in capitals, is read. */
export const mayHaveBody = (method = ''): boolean => BODY_METHODS.includes(method);

/** Whether the body of requests to a route is read. */
export const readsBody = ({ method }: { readonly method: string | readonly string[] }): boolean =>
  [method].flat().some(mayHaveBody);

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
