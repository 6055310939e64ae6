import { Http2ServerResponse } from 'node:http2';

/** As much as a frame holds by default (RFC 9113 §4.2). */
const PIECE_BYTES = 16_384;

/**
 * A response of HTTP/2 whose body is handed on in pieces, each when the one before it has left: whether its client
 * reads it can be told by that. `node:http2` takes a body as a whole, however little of it the client's window lets out.
 */
export class PiecewiseResponse extends Http2ServerResponse {
  /** How many pieces have left, or chunks of a stream that is piped. */
  piecesSent = 0;

  override write(...parameters: unknown[]): boolean {
    const last = parameters.at(-1);
    const [given, done] = typeof last === 'function' ? [parameters.slice(0, -1), last] : [parameters];
    const sent = (error?: unknown): void => {
      this.piecesSent++;
      done?.(error);
    };
    return super.write(...([...given, sent] as unknown as [string]));
  }

  override end(...parameters: unknown[]): this {
    const [body, encoding] = parameters;
    const bytes = typeof body === 'string' ? Buffer.from(body, encodingOf(encoding)) : body;
    if (!(bytes instanceof Uint8Array) || bytes.length <= PIECE_BYTES)
      return super.end(...(parameters as []));
    // As for every response: it has ended when it was asked to end.
    Object.defineProperty(this, 'writableEnded', { value: true });
    this.endFrom(bytes, 0);
    return this;
  }

  private endFrom(bytes: Uint8Array, start: number): void {
    const next = start + PIECE_BYTES;
    if (next >= bytes.length) super.end(bytes.subarray(start));
    else
      this.write(bytes.subarray(start, next), () => {
        if (!this.stream.destroyed && !this.stream.closed) this.endFrom(bytes, next);
      });
  }
}

const encodingOf = (parameter: unknown): BufferEncoding =>
  typeof parameter === 'string' ? (parameter as BufferEncoding) : 'utf8';
