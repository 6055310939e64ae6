import { Answer } from '@plinth/dev/testing';

/** An answer of a route that the OpenAPI document does not describe in full: it is not checked against it. */
export async function fetched(url: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(url, init);
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') && text !== '';
  const body = isJson ? (JSON.parse(text) as unknown) : undefined;
  return { status: response.status, headers: response.headers, text, body };
}
