import { once } from 'node:events';
import { connect, TLSSocket } from 'node:tls';

const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';
const HEAD_BYTES = 9;
/** As much as a frame holds. */
export const FRAME_BYTES = 16_384;
/** Types of frames (RFC 9113 §6). */
const FRAME = { data: 0, headers: 1, reset: 3, settings: 4, ping: 6, goaway: 7, window: 8, continuation: 9 };
const END_STREAM = 0x1;
const END_HEADERS = 0x4;

/** Of SETTINGS: how much of an answer may come unasked (RFC 9113 §6.5.2). */
const INITIAL_WINDOW = 4;
const CANCEL = 8;
const SETTING_BYTES = 6;
const PING_BYTES = 8;

/** The end of a session, as the server announces it (RFC 9113 §6.8). */
interface Announcement {
  /** Streams above this one are not processed. */
  readonly lastStream: number;
  readonly error: number;
}

/** A request, whole or as much of it as is said. */
interface RawRequest {
  readonly method?: string;
  /** CONNECT has none. */
  readonly path?: string;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  /** As much as a frame holds. */
  readonly body?: string;
  /** Nothing says that the request ends here. */
  readonly isOpen?: boolean;
}

interface Stream {
  readonly answer: Promise<string>;
  readonly add: (data: string) => void;
  readonly end: () => void;
  readonly fail: (error: Error) => void;
}

/**
 * A client of HTTP/2 that sends what it is told to, whatever the server has announced. The client of `node:http2` sends
 * nothing once it has read a GOAWAY, not even what was asked for before, in the same turn of the event loop.
 */
export class RawHttp2 {
  readonly announced: Promise<Announcement>;
  /** What the server has set, by number. */
  readonly settings = new Map<number, number>();
  private readonly streams = new Map<number, Stream>();
  private announce: (announcement: Announcement) => void = () => undefined;
  private unread = Buffer.alloc(0);

  private constructor(
    private readonly socket: TLSSocket,
    window: number,
  ) {
    this.announced = new Promise((resolve) => (this.announce = resolve));
    socket.on('error', () => undefined);
    socket.on('data', (bytes: Buffer) => {
      this.read(bytes);
    });
    socket.on('close', () => {
      for (const { fail } of this.streams.values()) fail(new Error('The connection was closed.'));
    });
    socket.write(PREFACE);
    const setting = Buffer.alloc(SETTING_BYTES);
    setting.writeUInt16BE(INITIAL_WINDOW, 0);
    setting.writeUInt32BE(window, 2);
    socket.write(frame(FRAME.settings, 0, 0, [...setting]));
  }

  /**
   * @param ca the certificate of the server
   * @param window bytes of each answer that are read
   */
  static async connected(port: number, ca: string | Buffer, window = 65_535): Promise<RawHttp2> {
    const socket = connect({ port, host: '127.0.0.1', ca, ALPNProtocols: ['h2'] });
    await once(socket, 'secureConnect');
    return new RawHttp2(socket, window);
  }

  /** Opens a stream with a GET. @param id odd, and above all before it */
  get(id: number, path: string): void {
    this.send(id, { path });
  }

  /** Opens a stream. @param id odd, and above all before it */
  send(id: number, { method = 'GET', path, headers = [], body, isOpen = false }: RawRequest): void {
    let [text, resolve, fail] = ['', (_: string): void => undefined, (_: Error): void => undefined];
    const answer = new Promise<string>((...settle) => ([resolve, fail] = settle));
    answer.catch(() => undefined);
    const add = (data: string): void => {
      text += data;
    };
    const end = (): void => {
      resolve(text);
    };
    this.streams.set(id, { answer, add, end, fail });
    const target = path === undefined ? {} : { ':scheme': 'https', ':path': path };
    const pseudo = { ':method': method, ...target, ':authority': 'localhost' };
    const head = [...Object.entries(pseudo), ...headers].flatMap(([name, value]) => literal(name, value));
    const flag = isOpen ? 0 : END_STREAM;
    const first = head.slice(0, FRAME_BYTES);
    const rest = head.slice(FRAME_BYTES);
    const isWhole = rest.length === 0 ? END_HEADERS : 0;
    this.socket.write(frame(FRAME.headers, (body === undefined ? flag : 0) | isWhole, id, first));
    if (isWhole === 0) this.socket.write(frame(FRAME.continuation, END_HEADERS, id, rest));
    if (body !== undefined) this.socket.write(frame(FRAME.data, flag, id, [...Buffer.from(body)]));
  }

  /** Sends more of a body, which goes on. */
  sendBody(id: number, body: string): void {
    this.socket.write(frame(FRAME.data, 0, id, [...Buffer.from(body)]));
  }

  /** Takes more of the answer of a stream. @param bytes from 1 */
  take(id: number, bytes: number): void {
    const increment = Buffer.alloc(4);
    increment.writeUInt32BE(bytes);
    for (const stream of [0, id]) this.socket.write(frame(FRAME.window, 0, stream, [...increment]));
  }

  /** Gives a stream up. */
  reset(id: number): void {
    this.socket.write(frame(FRAME.reset, 0, id, [0, 0, 0, CANCEL]));
  }

  /** Shows that the client is there. */
  ping(): void {
    this.socket.write(frame(FRAME.ping, 0, 0, Array<number>(PING_BYTES).fill(0)));
  }

  /** Breaks the protocol, after which a server sends nothing more: with a frame that is larger than it takes. */
  breakProtocol(): void {
    const head = Buffer.alloc(HEAD_BYTES);
    head.writeUIntBE(2 ** 24 - 1, 0, 3);
    this.socket.write(head);
  }

  close(): void {
    this.socket.destroy();
  }

  /** The body of a stream's answer. @throws Error where the stream was reset, or the connection ended before */
  answered(id: number): Promise<string> {
    return this.stream(id).answer;
  }

  private read(bytes: Buffer): void {
    this.unread = Buffer.concat([this.unread, bytes]);
    while (this.unread.length >= HEAD_BYTES) {
      const end = HEAD_BYTES + this.unread.readUIntBE(0, 3);
      if (this.unread.length < end) return;
      const [type, flags, id] = [this.unread[3], this.unread[4] ?? 0, this.unread.readUInt32BE(5)];
      this.handle({ type, flags, id, payload: this.unread.subarray(HEAD_BYTES, end) });
      this.unread = this.unread.subarray(end);
    }
  }

  private handle({ type, flags, id, payload }: Frame): void {
    if (type === FRAME.goaway)
      this.announce({ lastStream: payload.readUInt32BE(0), error: payload.readUInt32BE(4) });
    else if (type === FRAME.reset)
      this.stream(id).fail(new Error(`Stream ${id} was reset with error ${payload.readUInt32BE(0)}.`));
    else if (type === FRAME.data) this.stream(id).add(payload.toString());
    else if (type === FRAME.settings) this.set(payload);
    const endsStream = type === FRAME.data || type === FRAME.headers;
    if (endsStream && (flags & END_STREAM) !== 0) this.stream(id).end();
  }

  private set(payload: Buffer): void {
    for (let at = 0; at < payload.length; at += SETTING_BYTES)
      this.settings.set(payload.readUInt16BE(at), payload.readUInt32BE(at + 2));
  }

  private stream(id: number): Stream {
    const stream = this.streams.get(id);
    if (!stream) throw new Error(`There is no stream ${id}.`);
    return stream;
  }
}

interface Frame {
  readonly type: number | undefined;
  readonly flags: number;
  readonly id: number;
  readonly payload: Buffer;
}

function frame(type: number, flags: number, stream: number, payload: readonly number[]): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, Buffer.from(payload)]);
}

/** A header field that is neither indexed nor Huffman-coded (RFC 7541 §6.2.2). */
const literal = (name: string, value: string): number[] => [0, ...text(name), ...text(value)];

const text = (value: string): number[] => [...lengthOf(value), ...Buffer.from(value)];

/** RFC 7541 §5.1, with a prefix of 7 bits. */
function lengthOf({ length }: string): number[] {
  if (length < 0x7f) return [length];
  const bytes = [0x7f];
  let rest = length - 0x7f;
  for (; rest >= 0x80; rest >>= 7) bytes.push((rest & 0x7f) | 0x80);
  return [...bytes, rest];
}
