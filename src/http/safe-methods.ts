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
