import { IncomingMessage } from 'node:http';

/**
 * Whether a method is safe, which means that it only reads (RFC 9110 §9.2.1).
 * @param method in capitals
 */
export const isSafeMethod = (method: string): boolean => ['GET', 'HEAD', 'OPTIONS', 'TRACE'].includes(method);

/** Whether Fastify reads the body of a request with this method. It does so even for OPTIONS and QUERY. */
const canHaveBody = (method = 'GET'): boolean => !['GET', 'HEAD', 'TRACE'].includes(method);

/** Whether a request has a body that Fastify reads. */
export function hasRequestBody({ method, headers }: IncomingMessage): boolean {
  const { 'transfer-encoding': coding, 'content-length': length = '0' } = headers;
  return canHaveBody(method) && (coding !== undefined || length !== '0');
}

/** Whether Fastify reads a body for at least one method of a route. */
export const readsBody = ({ method }: { readonly method: string | readonly string[] }): boolean =>
  [method].flat().some(canHaveBody);
