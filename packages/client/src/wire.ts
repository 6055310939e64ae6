import { ApiError, envelopeOf } from './errors.js';
import { retryAfterMs } from './retries.js';
import type { Query } from './types.js';

export const isJson = (body: unknown): boolean =>
  body !== undefined && !(body instanceof FormData) && !(body instanceof Blob);

export const bodyOf = (body: unknown): BodyInit | null => {
  if (body === undefined) return null;
  return isJson(body) ? JSON.stringify(body) : (body as FormData | Blob);
};

/**
 * The body by its type: JSON as data; of calls that take any type, other text as text, events as a stream, anything
 * else as a `Blob`. What is none of these is text without data.
 */
export async function contentOf(
  response: Response,
  takesAnyType = false,
): Promise<{ data: unknown; text: string }> {
  const type = response.headers.get('content-type') ?? '';
  if (response.ok && /^application\/(\S+\+)?json\b/.test(type)) {
    const text = await response.text();
    return { data: text === '' ? undefined : JSON.parse(text), text };
  }
  if (!response.ok || !takesAnyType || type === '' || response.status === 204)
    return { data: undefined, text: await response.text() };
  if (type.startsWith('text/event-stream')) return { data: response.body, text: '' };
  return { data: type.startsWith('text/') ? await response.text() : await response.blob(), text: '' };
}

export function errorOf(
  operation: string,
  url: string,
  { status, headers }: Response,
  text: string,
): ApiError {
  const type = headers.get('content-type') ?? 'no content type';
  const { code, message, details } = envelopeOf(text) ?? {
    code: `HTTP_${status}`,
    message: `${url} answers ${status} with ${type}, which is not the API's: a proxy, or a wrong baseUrl`,
    details: [],
  };
  return new ApiError(code, status, {
    message,
    details,
    operation,
    headers,
    retryAfterMs: retryAfterMs(headers),
  });
}

export function queryString(query: Query = {}): string {
  const parameters = new URLSearchParams();
  const text = (value: unknown): string => (value instanceof Date ? value.toISOString() : String(value));
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue;
    // Sorts are one parameter; of others each value of an array is one.
    const values = [value].flat() as unknown[];
    if (values.length === 0) throw new TypeError(`${name} has no value: leave it out to ask for everything`);
    for (const one of name === 'sort' ? [values.map(text).join(',')] : values)
      parameters.append(name, text(one));
  }
  const joined = parameters.toString();
  return joined === '' ? '' : `?${joined}`;
}
