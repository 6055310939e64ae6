import { readRoutePolicy, routePolicy } from '../routes/route-policy.js';
import { createRequestDecorator } from '../routes/request.js';

/** The values of a cookie in a `Cookie` header (RFC 6265 §5.4), in order: more than one where it is repeated. */
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
  /** Left out: until the browser ends. */
  readonly maxAgeSeconds?: number;
}

/** A `Set-Cookie` (RFC 6265 §4.1) that scripts cannot read and plain HTTP does not carry. @param value is not quoted */
export function setCookie(name: string, value: string, { sameSite, maxAgeSeconds }: CookieOptions): string {
  const maxAge = maxAgeSeconds === undefined ? '' : `; Max-Age=${maxAgeSeconds}`;
  return `${name}=${value}${maxAge}; Path=/; HttpOnly; Secure; SameSite=${sameSite}`;
}

/** Documents that a route answers with `Set-Cookie`. @example @SetsCookies() */
export const SetsCookies = (): MethodDecorator => routePolicy({ setsCookies: true });

/**
 * The values of a cookie that the request carries: more than one where it is repeated.
 * @example refresh(@Cookie(REFRESH_COOKIE) tokens: string[]) { … }
 */
export function Cookie(name: string): ParameterDecorator {
  const documented: MethodDecorator = (target, method, descriptor) => {
    const { readsCookies = [] } = readRoutePolicy(descriptor.value as object);
    routePolicy({ readsCookies: [name, ...readsCookies] })(target, method, descriptor);
  };
  return createRequestDecorator(({ headers }) => cookieValues(headers.cookie, name), documented)();
}
