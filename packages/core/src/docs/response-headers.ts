import { AUTHENTICATION_REQUIRED } from '../access/access.errors.js';
import { AuthSchemes } from '../access/schemes/auth-schemes.js';
import { CSV_TYPE } from '../http/negotiation/media-types.js';
import { RoutePolicy } from '../routes/route-policy.js';
import { HeaderObject, ReferenceObject } from './openapi.js';

const header = (description: string, example: string | number): HeaderObject => ({
  description,
  schema: typeof example === 'number' ? { type: 'integer', format: 'int32' } : { type: 'string' },
  example,
});

const HEADERS: Readonly<Record<string, HeaderObject>> = {
  'Accept-Encoding': header('The encodings that a request body may have (RFC 9110 §15.5.16).', 'identity'),
  'Cache-Control': header('How the response may be cached (RFC 9111).', 'private, no-cache'),
  Deprecation: header(
    'When this version was deprecated: `@` and a Unix time in seconds (RFC 9745).',
    '@1767225600',
  ),
  ETag: header(
    'Identifies this state of the response. Send it in If-None-Match or If-Match.',
    '"5f3c1a9e-3"',
  ),
  'Idempotency-Replayed': header(
    'Present if this is the stored response to an earlier request with the same key.',
    'true',
  ),
  'Last-Modified': header('When the resource last changed.', 'Fri, 20 Nov 2026 09:30:00 GMT'),
  RateLimit: header(
    'How many requests are left, and how many seconds until the window ends.',
    '"default";r=599;t=60',
  ),
  'RateLimit-Policy': header(
    'How many requests a window allows, and its length in seconds.',
    '"default";q=600;w=60',
  ),
  'Retry-After': header('How many seconds to wait before the next attempt.', 30),
  'Set-Cookie': header(
    'Sets cookies that scripts cannot read, or clears cookies that are no longer valid.',
    'session_id=…; Path=/; HttpOnly; Secure',
  ),
  Sunset: header('When this version will be retired (RFC 8594).', 'Thu, 31 Dec 2026 00:00:00 GMT'),
  'X-RateLimit-Limit': header('How many requests a window allows.', 600),
  'X-RateLimit-Remaining': header('How many requests are left in the window.', 599),
  'X-RateLimit-Reset': header('How many seconds until the window ends.', 60),
  'X-Request-Id': header(
    'The id of the request in the log. It is the id that the client sent, if that is valid.',
    'b7e0c1d2-91f4',
  ),
};

/**
 * Returns the headers that the document describes.
 * @param listPath the path of a list, which the examples contain
 */
export function describeHeaders(schemes: AuthSchemes, listPath: string): Record<string, HeaderObject> {
  const vary = ['Accept', ...schemes.credentialHeaders].join(', ');
  const challenges = schemes.challenges(AUTHENTICATION_REQUIRED);
  return {
    ...HEADERS,
    'Content-Disposition': header(
      'The name of the CSV file.',
      `attachment; filename="${listPath.split('/').at(-1)}.csv"`,
    ),
    Link: header('Related pages and versions (RFC 8288).', `<${listPath}?page=2>; rel="next"`),
    Location: header('The path of the created resource.', `${listPath}/42`),
    Vary: header('The request headers that the response depends on.', vary),
    'WWW-Authenticate': header(
      'The authentication schemes that are accepted (RFC 9110 §11.6.1).',
      challenges,
    ),
  };
}

/** Headers that any response can have. The document describes them once, in the response `CommonError`. */
export const COMMON_HEADERS: readonly string[] = (
  'X-Request-Id RateLimit-Policy RateLimit X-RateLimit-Limit X-RateLimit-Remaining X-RateLimit-Reset Cache-Control ' +
  'Vary Deprecation Sunset Link'
).split(' ');

/** The kinds of responses that have an `ETag`. */
export const KINDS_WITH_ENTITY_TAG: readonly string[] = ['resource', 'list', 'facets'];

/** Returns the names of the headers of a successful response, without the common headers. */
export function successHeaders(policy: RoutePolicy): readonly string[] {
  const { status, kind } = policy.success ?? {};
  const carried: Readonly<Record<string, unknown>> = {
    ETag: kind && KINDS_WITH_ENTITY_TAG.includes(kind),
    'Last-Modified': kind === 'resource',
    Link: kind === 'list',
    'Content-Disposition': kind === 'list' && policy.produces?.includes(CSV_TYPE),
    Location: status === 201,
    'Set-Cookie': policy.setsCookies,
    'Idempotency-Replayed': policy.isTransactional,
  };
  return Object.keys(carried).filter((name) => carried[name]);
}

/** Returns the headers of a response, as references to the described headers. */
export function headerReferences(names: readonly string[]): Record<string, ReferenceObject> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
