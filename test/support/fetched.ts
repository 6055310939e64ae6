import { Answer } from '@plinth/dev/testing';

/**
 * A response of a route that the OpenAPI document does not describe completely. It is not checked against the
 * document.
 */
export async function fetched(url: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(url, init);
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') && text !== '';
  const body = isJson ? (JSON.parse(text) as unknown) : undefined;
  return { status: response.status, headers: response.headers, text, body };
}
