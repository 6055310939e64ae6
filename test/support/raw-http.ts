import { connect, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { Answer } from '@plinth/dev/testing';

import { Role } from '../../packages/core/src/config/define-access.js';
import { TestApp } from './app.js';

/**
 * A piece that is written to the socket: text (as UTF-8) or bytes. A number is a pause in milliseconds, and a
 * promise is a pause until it resolves.
 */
export type Piece = string | Uint8Array | number | Promise<unknown>;

export interface ExchangeOptions {
  /** The number of responses to wait for. */
  readonly responses?: number;
  /**
   * How long to wait for the responses, and for the end of the connection if they announce it. A busy machine
   * is slow.
   */
  readonly timeoutMs?: number;
}

export interface Exchange {
  /** The final responses, in order. */
  readonly responses: readonly Answer[];
  /** The first final response. */
  readonly answer: Answer;
  /** The statuses of interim responses, such as 100. */
  readonly interim: readonly number[];
  /** Whether the server closed the connection. */
  readonly isClosed: boolean;
  /** The time from the first byte sent to the last response, or to the end of the connection without one. */
  readonly elapsedMs: number;
}

/** The bytes of a request. No header replaces another, so that repeated headers are sent repeated. */
export function wire(
  requestLine: string,
  headers: readonly string[] = [],
  body: string | Uint8Array = '',
): Uint8Array {
  const bytes = Buffer.from(body);
  const hasLength = headers.some((header) => /^(content-length|transfer-encoding):/i.test(header));
  const length = bytes.length > 0 && !hasLength ? [`Content-Length: ${bytes.length}`] : [];
  const hasHost = headers.some((header) => /^host/i.test(header));
  const host = hasHost ? [] : [`Host: localhost`];
  const head = [`${requestLine} HTTP/1.1`, ...host, ...headers, ...length].join('\r\n');
  return Buffer.concat([Buffer.from(`${head}\r\n\r\n`), bytes]);
}

/** The address to which bytes are sent. */
export interface Target {
  readonly host: string;
  readonly port: number;
}

/** Sends pieces one after the other on a new connection, and reads what comes back. */
export async function exchange(
  to: Target,
  pieces: Piece | readonly Piece[],
  { responses: wanted = 1, timeoutMs = 60_000 }: ExchangeOptions = {},
): Promise<Exchange> {
  const socket = connect(to.port, to.host);
  const started = performance.now();
  let received = Buffer.alloc(0);
  let answeredAt = 0;
  const outcome = await new Promise<boolean>((resolve) => {
    // Timers run before sockets, so a process that was blocked for so long first sends and reads what it can.
    const timer = setTimeout(() => setImmediate(() => resolve(false)), timeoutMs);
    socket.on('data', (data) => {
      received = Buffer.concat([received, data]);
      const { responses } = parse(received);
      if (responses.length < wanted || answeredAt > 0) return;
      answeredAt = performance.now();
      if (responses.at(-1)?.headers.get('connection') !== 'close') setTimeout(() => resolve(false));
    });
    // A reset after an early response counts as the end of the connection.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(true);
    });
    void send(socket, [pieces].flat());
  });
  const elapsedMs = (answeredAt || performance.now()) - started;
  socket.destroy();
  const { responses, interim } = parse(received);
  return { responses, interim, isClosed: outcome, elapsedMs, answer: responses[0] ?? silence(received) };
}

async function send(socket: Socket, pieces: readonly Piece[]): Promise<void> {
  for (const piece of pieces) {
    if (socket.destroyed) return;
    if (typeof piece === 'number') await sleep(piece);
    else if (piece instanceof Promise) await piece;
    else socket.write(piece);
  }
}

/** Stands for a missing response. No test accepts it as a response. */
const silence = (received: Buffer): Answer => ({
  status: 0,
  headers: new Headers(),
  text: received.toString(),
  body: undefined,
});

function parse(bytes: Buffer): { responses: Answer[]; interim: number[] } {
  const responses: Answer[] = [];
  const interim: number[] = [];
  for (let rest = bytes; ;) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) return { responses, interim };
    const [statusLine = '', ...lines] = rest.toString('latin1', 0, end).split('\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
    if (!status) throw new Error(`not a status line: ${statusLine}`);
    rest = rest.subarray(end + 4);
    if (status < 200) {
      interim.push(status);
      continue;
    }
    const headers = new Headers();
    for (const line of lines)
      headers.append(line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1));
    if (status === 204 && (headers.has('content-length') || headers.has('transfer-encoding')))
      throw new Error(`a 204 with the length of a body (RFC 9110 §8.6, RFC 9112 §6.1): ${lines.join(', ')}`);
    const body = status === 204 || status === 304 ? Buffer.alloc(0) : bodyOf(rest, headers);
    if (!body) return { responses, interim };
    rest = rest.subarray(headers.has('transfer-encoding') ? endOfChunks(rest) : body.length);
    responses.push(toAnswer(status, headers, body));
  }
}

function toAnswer(status: number, headers: Headers, body: Buffer): Answer {
  const text = body.toString();
  const isJson = headers.get('content-type')?.startsWith('application/json') && text !== '';
  return { status, headers, text, body: isJson ? (JSON.parse(text) as unknown) : undefined };
}

const endOfChunks = (bytes: Buffer): number => bytes.indexOf('0\r\n\r\n') + 5;

/** The body of a response, or `undefined` if it is incomplete. */
function bodyOf(bytes: Buffer, headers: Headers): Buffer | undefined {
  if (!headers.has('transfer-encoding')) {
    const length = Number(headers.get('content-length') ?? 0);
    return bytes.length < length ? undefined : bytes.subarray(0, length);
  }
  const chunks: Buffer[] = [];
  for (let at = 0; ;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd < 0) return undefined;
    const size = parseInt(bytes.toString('latin1', at, lineEnd), 16);
    if (bytes.length < lineEnd + 4 + size) return undefined;
    if (size === 0) return Buffer.concat(chunks);
    chunks.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 4 + size;
  }
}

/** The `Authorization` header of a new user with the given role, as a line of a request. */
export async function authorizationOf(app: TestApp, role: Role): Promise<string> {
  const { email, password } = await app.user(role);
  const login = await app.anonymous.post('/api/v1/login', { email, password });
  return `Authorization: Bearer ${(login.body as { accessToken: string }).accessToken}`;
}

/**
 * Checks that a response is an error in the common envelope: a code, a message and the status, details for
 * errors that have them, and nothing else.
 */
export function expectError(answer: Answer, status: number, code: string): void {
  expect({ status: answer.status, text: answer.text }).toEqual({
    status,
    text: expect.stringContaining(`"${code}"`),
  });
  expectEnvelope(answer);
  expect((answer.body as { error: object }).error).toMatchObject({ code, status });
}

/** Checks that a response is any error in the common envelope. */
export function expectEnvelope({ status, headers, body, text }: Answer): void {
  expect(headers.get('content-type')).toBe('application/json');
  const detail = {
    field: expect.any(String),
    code: expect.stringMatching(/^[A-Z_]+$/),
    message: expect.any(String),
  };
  const hasDetails = status === 400 || status === 422;
  const { details } = (body as { error: { details?: unknown[] } }).error;
  expect(body).toEqual({
    error: {
      code: expect.stringMatching(/^[A-Z][A-Z_]+$/),
      message: expect.stringMatching(/./),
      status,
      ...(hasDetails && { details: details?.map(() => detail) ?? 'an array' }),
    },
  });
  expect(text).not.toMatch(
    /node_modules|\.[jt]s:\d+|select .* from|insert into|FST_|HPE_|TypeError|QueryFailed/i,
  );
}
