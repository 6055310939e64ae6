import { Http2ServerResponse, ServerHttp2Stream } from 'node:http2';

/** As much as a frame holds by default (RFC 9113 §4.2). */
const PIECE_BYTES = 16_384;

type Done = (error?: Error | null) => void;

/**
 * A response of HTTP/2 whose body is handed on in pieces, each when the one before it has left: whether its client
 * reads it can be told by that. `node:http2` takes what is written as a whole, however little of it the client's window
 * lets out.
 */
export class PiecewiseResponse extends Http2ServerResponse {
  /** How many pieces have left. */
  piecesSent = 0;
  /** Called when it was ended: the stream of a HEAD, which has no body, finishes before its request is heard of. */
  onEnd: (() => void) | undefined;
  private isPiecewise = false;

  /** `end()` writes its body by this, too. */
  override write(...parameters: unknown[]): boolean {
    if (!this.isPiecewise) this.cutUp(this.stream);
    return super.write(...(parameters as [string]));
  }

  override end(...parameters: unknown[]): this {
    super.end(...(parameters as []));
    this.onEnd?.();
    return this;
  }

  /**
   * Below the queue of the stream, so that this is as it is elsewhere for whoever writes. The end of a stream waits for
   * all pieces, since responses have their trailers asked for: `node:http2` would send it with the first piece else.
   */
  private cutUp(stream: ServerHttp2Stream): void {
    this.isPiecewise = true;
    const write = stream._write.bind(stream);
    const sendFrom = (bytes: Uint8Array, start: number, done: Done): void => {
      const next = start + PIECE_BYTES;
      write(bytes.subarray(start, next), 'buffer' as BufferEncoding, (error) => {
        this.piecesSent++;
        if (error || next >= bytes.length) done(error);
        else sendFrom(bytes, next, done);
      });
    };
    stream._write = (chunk: unknown, encoding, done) => {
      sendFrom(bytesOf(chunk, encoding), 0, done);
    };
    stream._writev = (chunks, done) => {
      sendFrom(Buffer.concat(chunks.map(({ chunk, encoding }) => bytesOf(chunk, encoding))), 0, done);
    };
  }
}

const bytesOf = (chunk: unknown, encoding: BufferEncoding): Uint8Array =>
  typeof chunk === 'string' ? Buffer.from(chunk, encoding) : (chunk as Uint8Array);
