import { readRoutePolicy, routePolicy } from '../routes/route-policy.js';
import { createRequestDecorator } from '../routes/request.js';

/**
 * Returns the values of a cookie in a `Cookie` header (RFC 6265 §5.4), in the order of the header. A repeated cookie
 * has several values.
 */
export function cookieValues(header: string | undefined, name: string): string[] {
  if (!header?.includes(name)) return [];
  const values: string[] = [];
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=');
    if (equals >= 0 && pair.slice(0, equals).trim() === name) values.push(pair.slice(equals + 1).trim());
  }
  return values;
}

interface CookieOptions {
  readonly sameSite: 'Strict' | 'Lax';
  /** If omitted, the cookie lasts until the browser closes. */
  readonly maxAgeSeconds?: number;
}

/**
 * Returns the value of a `Set-Cookie` header (RFC 6265 §4.1). Scripts cannot read the cookie, and browsers send it only
 * over HTTPS.
 * @param value the value of the cookie, which is not quoted
 */
export function setCookie(name: string, value: string, { sameSite, maxAgeSeconds }: CookieOptions): string {
  const maxAge = maxAgeSeconds === undefined ? '' : `; Max-Age=${maxAgeSeconds}`;
  return `${name}=${value}${maxAge}; Path=/; HttpOnly; Secure; SameSite=${sameSite}`;
}

/** Documents that a route responds with `Set-Cookie`. @example @SetsCookies() */
export const SetsCookies = (): MethodDecorator => routePolicy({ setsCookies: true });

/**
 * Passes the values of a cookie to a parameter of a handler. The array is empty if the request does not have the
 * cookie, and has several values if the cookie is repeated.
 * @example refresh(@Cookie(REFRESH_COOKIE) tokens: string[]) { … }
 */
export function Cookie(name: string): ParameterDecorator {
  const documented: MethodDecorator = (target, method, descriptor) => {
    const { readsCookies = [] } = readRoutePolicy(descriptor.value as object);
    routePolicy({ readsCookies: [name, ...readsCookies] })(target, method, descriptor);
  };
  return createRequestDecorator(({ headers }) => cookieValues(headers.cookie, name), documented)();
}
