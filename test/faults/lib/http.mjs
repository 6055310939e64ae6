import http from 'node:http';

/**
 * The longest time for a response. The service waits for nothing longer than that
 * (packages/core/docs/operations.md).
 */
export const ANSWER_MS = 30_000;

/** Thrown if the connection ended, or no response came in time. */
export class Dropped extends Error {
  constructor(request, reason) {
    super(`${request.method} ${request.path}: ${reason}`);
    this.reason = reason;
  }

  /** Whether nothing was sent, because nobody listens. */
  get isRefused() {
    return this.reason === 'ECONNREFUSED';
  }
}

/**
 * Sends a request and returns the response: `status`, `headers`, `text`, and `json` if it is JSON.
 * @throws Dropped
 */
export function send({ port, method = 'GET', path, headers = {}, body, agent, timeoutMs = ANSWER_MS }) {
  const request = { method, path };
  const payload = body === undefined ? undefined : JSON.stringify(body);
  const all = {
    // The header of a load balancer in front of it. In production, the service refuses requests without TLS.
    'x-forwarded-proto': 'https',
    ...(payload !== undefined && {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(payload),
    }),
    ...headers,
  };
  return new Promise((resolve, reject) => {
    const sent = http.request({ host: '127.0.0.1', port, method, path, headers: all, agent }, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('error', (error) => reject(new Dropped(request, error.code ?? error.message)));
      response.on('close', () => clearTimeout(timer));
      response.on('end', () => resolve(answerOf(response, Buffer.concat(chunks).toString())));
    });
    const timer = setTimeout(() => sent.destroy(Object.assign(new Error(), { code: 'HUNG' })), timeoutMs);
    sent.on('error', (error) => {
      clearTimeout(timer);
      reject(new Dropped(request, error.code ?? error.message));
    });
    sent.end(payload);
  });
}

function answerOf({ statusCode, headers }, text) {
  let json;
  try {
    json = text === '' ? undefined : JSON.parse(text);
  } catch {
    json = undefined;
  }
  return { status: statusCode, headers, text, json };
}

/** A caller with one connection, which is kept open. */
export class Client {
  #agent = new http.Agent({ keepAlive: true, maxSockets: 1 });

  /** @param target `{ port }`, whose port may change */
  constructor(target, headers = {}) {
    this.target = target;
    this.headers = headers;
  }

  send(method, path, { body, headers, timeoutMs } = {}) {
    const { port } = this.target;
    return send({
      port,
      method,
      path,
      body,
      timeoutMs,
      headers: { ...this.headers, ...headers },
      agent: this.#agent,
    });
  }

  close() {
    this.#agent.destroy();
  }
}

/** The value of a cookie that a response sets. */
export function cookieOf({ headers }, name) {
  for (const cookie of headers['set-cookie'] ?? []) {
    if (cookie.startsWith(`${name}=`)) return cookie.slice(name.length + 1).split(';', 1)[0];
  }
  return undefined;
}

/** Describes what is wrong with a response to any request. Returns `null` if nothing is. */
export function flawOf({ status, headers, json, text }) {
  const seen = `${status} ${text.slice(0, 200)}`;
  if (status === 500) return `500: ${seen}`;
  if (status < 400) return null;
  const error = json?.error;
  const isEnvelope =
    headers['content-type'] === 'application/json' &&
    typeof error?.code === 'string' &&
    typeof error.message === 'string' &&
    error.status === status;
  if (!isEnvelope) return `no error envelope: ${seen}`;
  if (status === 503 && !/^\d+$/.test(headers['retry-after'] ?? ''))
    return `503 without Retry-After: ${seen}`;
  return null;
}
