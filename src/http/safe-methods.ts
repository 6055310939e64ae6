import { IncomingMessage } from 'node:http';

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS', 'TRACE'];

/** Whether a method, in capitals, is read-only (RFC 9110 §9.2.1). */
export const isSafeMethod = (method: string): boolean => SAFE_METHODS.includes(method);

/** Methods whose body Fastify does not read. It reads that of all others: OPTIONS, QUERY, what NestJS adds. */
const BODILESS_METHODS = ['GET', 'HEAD', 'TRACE'];

/** Whether the body of a request with this method, in capitals, is read. */
export const mayHaveBody = (method = 'GET'): boolean => !BODILESS_METHODS.includes(method);

/** Whether a body comes after the headers of a request. */
export function isBodyComing({ method, headers }: IncomingMessage): boolean {
  const { 'transfer-encoding': coding, 'content-length': length = '0' } = headers;
  return mayHaveBody(method) && (coding !== undefined || length !== '0');
}

/** Whether the body of requests to a route is read. */
export const readsBody = ({ method }: { readonly method: string | readonly string[] }): boolean =>
  [method].flat().some(mayHaveBody);
