import { Conformance } from './conformance.js';

/** A response with its whole body. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body, if it is JSON. */
  readonly body: unknown;
}

type HeaderValues = Readonly<Record<string, string>>;

/** Options of a request. */
export interface RequestOptions {
  readonly headers?: HeaderValues;
  /** Sent as JSON. A string or bytes are sent unchanged. */
  readonly body?: unknown;
}

/** Sends requests to a service over HTTP, and checks each response against the OpenAPI document. */
export class Client {
  constructor(
    readonly baseUrl: string,
    private readonly conformance: Conformance | undefined,
    private readonly headers: HeaderValues = {},
  ) {}

  /** Returns a client that also sends these headers. */
  with(headers: HeaderValues): Client {
    return new Client(this.baseUrl, this.conformance, { ...this.headers, ...headers });
  }

  get(path: string, headers?: HeaderValues): Promise<Answer> {
    return this.request('GET', path, { headers });
  }

  head(path: string, headers?: HeaderValues): Promise<Answer> {
    return this.request('HEAD', path, { headers });
  }

  post(path: string, body: unknown, headers?: HeaderValues): Promise<Answer> {
    return this.request('POST', path, { body, headers });
  }

  put(path: string, body: unknown, headers?: HeaderValues): Promise<Answer> {
    return this.request('PUT', path, { body, headers });
  }

  patch(path: string, body: unknown, headers?: HeaderValues): Promise<Answer> {
    return this.request('PATCH', path, { body, headers });
  }

  delete(path: string, headers?: HeaderValues): Promise<Answer> {
    return this.request('DELETE', path, { headers });
  }

  async request(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
    let answer = await this.send(method, path, options);
    // On a busy machine, this process may send too late and get 408. The service has then received nothing, so the
    // request can be repeated (RFC 9110 §15.5.9).
    for (let i = 0; answer.status === 408 && i < 5; i++) answer = await this.send(method, path, options);
    return answer;
  }

  private async send(method: string, path: string, { headers, body }: RequestOptions): Promise<Answer> {
    const isRaw = typeof body === 'string' || body instanceof Uint8Array;
    const type: HeaderValues = body === undefined ? {} : { 'content-type': 'application/json' };
    const sent = lowerCased({ ...type, ...this.headers, ...headers });
    const response = await fetch(this.baseUrl + path, {
      method,
      headers: sent,
      body: body === undefined ? undefined : isRaw ? body : JSON.stringify(body),
      redirect: 'manual',
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') && text !== '';
    const answer: Answer = {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson ? (JSON.parse(text) as unknown) : undefined,
    };
    this.conformance?.check(method, path, sent, answer);
    return answer;
  }
}

/** Returns headers with lower-case names, so that `Accept` replaces `accept`. */
const lowerCased = (headers: HeaderValues): HeaderValues =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** Returns the status and code of an error, for comparison in tests: `404 PRODUCT_NOT_FOUND`. */
export function errorOf({ status, body }: Pick<Answer, 'status' | 'body'>): string {
  const error = (body as { error?: { code: string; status: number } } | undefined)?.error;
  return `${status} ${error?.status === status ? error.code : 'without an envelope'}`;
}

/** Returns the faults in `details`, each as `field CODE`. */
export function faultsOf({ body }: Pick<Answer, 'body'>): string[] {
  const { error } = body as { error: { details?: { field: string; code: string }[] } };
  return (error.details ?? []).map(({ field, code }) => `${field} ${code}`);
}
