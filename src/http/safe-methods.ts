const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS', 'TRACE'];

/** Whether a method, in capitals, is read-only (RFC 9110 §9.2.1). */
export const isSafeMethod = (method: string): boolean => SAFE_METHODS.includes(method);

/** Methods whose body Fastify reads. */
export const BODY_METHODS: readonly unknown[] = ['POST', 'PUT', 'PATCH', 'DELETE'];
