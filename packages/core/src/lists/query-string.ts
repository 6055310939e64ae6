import { FastifyInstance } from 'fastify';

import { faultError } from '../fields/faults.js';
import { ErrorDetail } from '../http/errors/api-error.js';
import { HttpErrors } from '../http/errors/http.errors.js';
import { truncateText } from '../http/errors/truncate-text.js';
import { QueryParameters } from '../routes/route-policy.js';

const NO_PARAMETERS: QueryParameters = { names: new Set(), repeatable: new Set(), hasDto: false };

/**
 * Rejects a request with 400 `INVALID_QUERY` if it has a query parameter that its route does not declare, or repeats a
 * parameter. This applies to routes under `/api`, and to other routes whose query has a DTO. Lists check their
 * parameters themselves.
 */
export function rejectUnknownParameters(server: FastifyInstance): void {
  // This hook runs after the body has been read.
  server.addHook('preValidation', ({ url, policy = {} }, _reply, done) => {
    const { apiVersion, list, queryParameters = NO_PARAMETERS } = policy;
    const isOther = queryParameters === 'any' || (apiVersion === undefined && !queryParameters.hasDto);
    if (!url.includes('?') || isOther || list) {
      done();
      return;
    }
    const { names, repeatable } = queryParameters;
    const takes =
      names.size > 0 ? `the parameters are ${[...names].join(', ')}` : 'the path has no query parameters';
    const isRepeatable = (name: string): boolean => !names.has(name) || repeatable.has(name);
    const faults = findNameFaults(parseQueryString(rawQueryOf(url)), names, takes, isRepeatable);
    done(faults.length > 0 ? faultError(HttpErrors.INVALID_QUERY, faults) : undefined);
  });
}

export function rawQueryOf(url: string): string {
  const start = url.indexOf('?');
  return start < 0 ? '' : url.slice(start + 1);
}

/** The parameters of a query string. The values of a repeated parameter are in the order of the query. */
interface ParsedQueryString {
  readonly parameters: ReadonlyMap<string, readonly string[]>;
  /** Whether a part of the query is not valid percent-encoded UTF-8. */
  readonly isMalformed: boolean;
}

/** Splits a query string (`a=1&b=2`) as the WHATWG URL standard does, but reports malformed percent-encoding. */
export function parseQueryString(text: string): ParsedQueryString {
  const parameters = new Map<string, string[]>();
  let isMalformed = false;
  for (const part of text.split('&')) {
    if (part === '') continue;
    const [name, value] = part.replaceAll('+', ' ').split(/=(.*)/s, 2) as [string, string?];
    try {
      const decoded = decodeURIComponent(name);
      const values = parameters.get(decoded);
      if (values) values.push(decodeURIComponent(value ?? ''));
      else parameters.set(decoded, [decodeURIComponent(value ?? '')]);
    } catch {
      isMalformed = true;
    }
  }
  return { parameters, isMalformed };
}

/**
 * Returns the faults in the names of a query: unknown and repeated names.
 * @param allowedNames a clause that lists the allowed names
 */
export function findNameFaults(
  { parameters, isMalformed }: ParsedQueryString,
  known: ReadonlySet<string>,
  allowedNames: string,
  isRepeatable: (name: string) => boolean,
): ErrorDetail[] {
  const faults: ErrorDetail[] = [];
  const fault = (name: string, code: string, message: string): void => {
    faults.push({ field: truncateText(name, 60), code, message });
  };
  if (isMalformed) fault('', 'BAD_CHARACTER', 'the query must be percent-encoded UTF-8');
  for (const name of parameters.keys())
    if (!known.has(name)) fault(name, 'UNKNOWN_FIELD', `is unknown; ${allowedNames}`);
  for (const [name, { length }] of parameters)
    if (length > 1 && !isRepeatable(name)) fault(name, 'REPEATED', 'must not be repeated');
  return faults;
}
