import { Fault, shortened } from '../fields/faults.js';

/** The parameters of a query string, in order, and the names that cannot be taken as they are. */
export interface QueryString {
  readonly parameters: ReadonlyMap<string, string>;
  readonly repeated: readonly string[];
  /** Whether something in it is not validly percent-encoded UTF-8. */
  readonly isMalformed: boolean;
}

/** Splits a query string (`a=1&b=2`, without its `?`) as the WHATWG URL standard does, but strictly. */
export function splitQuery(text: string): QueryString {
  const parameters = new Map<string, string>();
  const repeated: string[] = [];
  let isMalformed = false;
  for (const part of text.split('&')) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    try {
      const name = decode(equals < 0 ? part : part.slice(0, equals));
      if (parameters.has(name)) repeated.push(name);
      parameters.set(name, equals < 0 ? '' : decode(part.slice(equals + 1)));
    } catch {
      isMalformed = true;
    }
  }
  return { parameters, repeated, isMalformed };
}

const ENCODED = /[%+]/;

/** @throws URIError */
const decode = (text: string): string =>
  ENCODED.test(text) ? decodeURIComponent(text.replaceAll('+', ' ')) : text;

/** The faults of the names in a query. @param takes which names there are, in words */
export function faultsOfNames(
  { parameters, repeated, isMalformed }: QueryString,
  known: ReadonlySet<string>,
  takes: string,
): Fault[] {
  const faults: Fault[] = [];
  if (isMalformed)
    faults.push({ field: '', code: 'BAD_CHARACTER', message: 'the query takes percent-encoded UTF-8' });
  for (const name of parameters.keys())
    if (!known.has(name))
      faults.push({ field: shortened(name, 60), code: 'UNKNOWN_FIELD', message: `is unknown; ${takes}` });
  for (const name of new Set(repeated))
    faults.push({ field: shortened(name, 60), code: 'REPEATED', message: 'is there more than once' });
  return faults;
}
