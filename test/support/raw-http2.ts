import { once } from 'node:events';
import { connect, TLSSocket } from 'node:tls';

const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';
const HEAD_BYTES = 9;
/** Types of frames (RFC 9113 §6). */
const FRAME = { data: 0, headers: 1, reset: 3, settings: 4, goaway: 7 };
const END_STREAM = 0x1;
const END_HEADERS = 0x4;

/** `:method: GET` and `:scheme: https`, from the static table of HPACK (RFC 7541, appendix A). */
const GET_BY_HTTPS = [0x82, 0x87];
/** `:path` and `:authority`, with a value that is not indexed. */
const PATH = 0x04;
const AUTHORITY = 0x01;

/** The end of a session, as the server announces it (RFC 9113 §6.8). */
interface Announcement {
  /** Streams above this one are not processed. */
  readonly lastStream: number;
  readonly error: number;
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
  private readonly streams = new Map<number, Stream>();
  private announce: (announcement: Announcement) => void = () => undefined;
  private unread = Buffer.alloc(0);

  private constructor(private readonly socket: TLSSocket) {
    this.announced = new Promise((resolve) => (this.announce = resolve));
    socket.on('error', () => undefined);
    socket.on('data', (bytes: Buffer) => {
      this.read(bytes);
    });
    socket.on('close', () => {
      for (const { fail } of this.streams.values()) fail(new Error('The connection was closed.'));
    });
    socket.write(PREFACE);
    socket.write(frame(FRAME.settings, 0, 0, []));
  }

  /** @param ca the certificate of the server */
  static async connected(port: number, ca: string | Buffer): Promise<RawHttp2> {
    const socket = connect({ port, host: '127.0.0.1', ca, ALPNProtocols: ['h2'] });
    await once(socket, 'secureConnect');
    return new RawHttp2(socket);
  }

  /** Opens a stream with a GET. @param id odd, and above all before it */
  get(id: number, path: string): void {
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
    const head = [...GET_BY_HTTPS, ...literal(PATH, path), ...literal(AUTHORITY, 'localhost')];
    this.socket.write(frame(FRAME.headers, END_STREAM | END_HEADERS, id, head));
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
      this.take({ type, flags, id, payload: this.unread.subarray(HEAD_BYTES, end) });
      this.unread = this.unread.subarray(end);
    }
  }

  private take({ type, flags, id, payload }: Frame): void {
    if (type === FRAME.goaway)
      this.announce({ lastStream: payload.readUInt32BE(0), error: payload.readUInt32BE(4) });
    else if (type === FRAME.reset)
      this.stream(id).fail(new Error(`Stream ${id} was reset with error ${payload.readUInt32BE(0)}.`));
    else if (type === FRAME.data) this.stream(id).add(payload.toString());
    const endsStream = type === FRAME.data || type === FRAME.headers;
    if (endsStream && (flags & END_STREAM) !== 0) this.stream(id).end();
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

/** A header field whose value is not Huffman-coded (RFC 7541 §6.2.2). @param value shorter than 127 bytes */
const literal = (name: number, value: string): number[] => [name, value.length, ...Buffer.from(value)];
