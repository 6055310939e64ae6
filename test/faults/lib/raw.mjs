import { readFileSync } from 'node:fs';
import { connect } from 'node:net';

import { flawOf } from './http.mjs';

const hex = (port) => port.toString(16).toUpperCase().padStart(4, '0');

/** A connection on which nothing happens but what is said: for requests that never end, and answers nobody reads. */
export class RawConnection {
  /** What came, as text. */
  received = '';
  /** Milliseconds (performance.now()) when it was closed; `undefined`: it is open. */
  closedAt;
  #socket;

  constructor(port, { reads = true } = {}) {
    this.#socket = connect(port, '127.0.0.1');
    this.#socket.on('error', () => undefined);
    this.#socket.on('close', () => (this.closedAt = performance.now()));
    if (reads) this.#socket.on('data', (data) => (this.received += data));
    else this.#socket.pause();
  }

  send(text) {
    if (this.#socket.writable) this.#socket.write(text);
  }

  /** Whether the server has it open, whatever this side has noticed. */
  get isOpenAtServer() {
    const { remotePort, localPort } = this.#socket;
    if (remotePort === undefined) return false;
    // "sl local_address rem_address st …", in hexadecimal; 01: established.
    const pattern = new RegExp(`:${hex(remotePort)} [0-9A-F]+:${hex(localPort)} 01 `);
    return pattern.test(readFileSync('/proc/net/tcp', 'latin1'));
  }

  close() {
    this.#socket.destroy();
  }

  /** The first answer that came; `null`: none, or not all of it. */
  get answer() {
    const end = this.received.indexOf('\r\n\r\n');
    if (end < 0) return null;
    const [statusLine, ...lines] = this.received.slice(0, end).split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => [line.split(':', 1)[0].toLowerCase(), line.split(': ')[1]]),
    );
    const text = this.received.slice(end + 4, end + 4 + Number(headers['content-length'] ?? 0));
    let json;
    try {
      json = JSON.parse(text);
    } catch {
      return null;
    }
    return { status: Number(statusLine.split(' ')[1]), headers, text, json };
  }

  /** What is wrong with the answer, where there is one. */
  get flaw() {
    return this.answer && flawOf(this.answer);
  }
}
