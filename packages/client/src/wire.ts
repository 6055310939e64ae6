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
 * Reads the body by its media type. JSON becomes data. If the call accepts any type, text becomes a string, events
 * become a stream, and anything else becomes a `Blob`. Otherwise, the result has only the text.
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
    message: `${url} answered ${status} with ${type}: the response is from a proxy, not from the API, or baseUrl is wrong`,
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
    // An array of sorts becomes one parameter. Other arrays become one parameter for each value.
    const values = [value].flat() as unknown[];
    if (values.length === 0)
      throw new TypeError(`${name} must have at least one value: omit it to get all rows`);
    for (const one of name === 'sort' ? [values.map(text).join(',')] : values)
      parameters.append(name, text(one));
  }
  const joined = parameters.toString();
  return joined === '' ? '' : `?${joined}`;
}
