import { IncomingHttpHeaders, request } from 'node:http';

/** An unchanged response. `fetch` would add headers to the request, and refuse some methods. */
export interface PlainAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: unknown;
}

/** Sends a request without a body, with exactly these headers. */
export function httpRequest(
  baseUrl: string,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<PlainAnswer> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, method, path, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const body = text === '' ? undefined : (JSON.parse(text) as unknown);
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, body });
      });
    });
    sent.on('error', reject);
    sent.end();
  });
}

/** Headers that differ in each response. */
const ALWAYS_NEW = /^(date|connection|keep-alive|server-timing|x-request-id|(x-)?ratelimit.*)$/;

/** The headers of a response that must be the same in an equal response. */
export function headersToCompare(headers: Headers | IncomingHttpHeaders): Record<string, unknown> {
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers);
  return Object.fromEntries(entries.filter(([name]) => !ALWAYS_NEW.test(name)).sort());
}
