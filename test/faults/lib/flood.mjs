/**
 * Many connections that ask the same again and again, in a process of their own so that measuring does not wait for
 * them. Started by `flood()`; reports to its parent when it ends.
 */
import { fork } from 'node:child_process';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';

import { flawOf } from './http.mjs';
import { destroy } from './processes.mjs';

/**
 * Floods a service for some seconds.
 * @param plan `{ port, connections, seconds, request }`: `request` is the text of a whole request
 * @returns `{ statuses, flaws, seconds }`: counts by status, faulty answers, and by status the times that answers took,
 *   sorted, in seconds
 */
export async function flood(scope, plan) {
  const child = fork(fileURLToPath(import.meta.url), ['flood']);
  child.send(plan);
  child.ended = new Promise((resolve) => child.once('exit', resolve));
  scope.defer(() => destroy(child));
  const report = await new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (code) => reject(new Error(`the flood ended with ${code}`)));
  });
  await child.ended;
  return report;
}

/** The value below which a share of sorted values lies; 0 without any. */
export const quantile = (sorted, share) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

class Caller {
  #rest = Buffer.alloc(0);
  #sentAt;
  #socket;

  constructor(plan, report) {
    Object.assign(this, { plan, report });
    this.#connect();
  }

  #connect() {
    this.#rest = Buffer.alloc(0);
    this.#socket = connect(this.plan.port, '127.0.0.1', () => this.#ask());
    this.#socket.on('error', (error) => this.report.count(error.code));
    this.#socket.on('data', (data) => this.#take(data));
    this.#socket.on('close', () => this.report.isOver || setTimeout(() => this.#connect(), 50));
  }

  #ask() {
    this.#sentAt = performance.now();
    this.#socket.write(this.plan.request);
  }

  #take(data) {
    this.#rest = this.#rest.length === 0 ? data : Buffer.concat([this.#rest, data]);
    const end = this.#rest.indexOf('\r\n\r\n');
    if (end < 0) return;
    const head = this.#rest.toString('latin1', 0, end);
    const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
    if (this.#rest.length < end + 4 + length) return;
    this.report.answer(
      head,
      this.#rest.subarray(end + 4, end + 4 + length),
      performance.now() - this.#sentAt,
    );
    this.#rest = this.#rest.subarray(end + 4 + length);
    if (this.report.isOver) this.#socket.destroy();
    // One that is turned away comes again, but not at once: nobody's client is that bad.
    else if (head.startsWith('HTTP/1.1 503')) setTimeout(() => this.#ask(), 100);
    else this.#ask();
  }
}

class FloodReport {
  isOver = false;
  statuses = {};
  flaws = new Set();
  times = {};

  count(what) {
    this.statuses[what] = (this.statuses[what] ?? 0) + 1;
  }

  answer(head, body, milliseconds) {
    const status = Number(head.slice(9, 12));
    this.count(status);
    (this.times[status] ??= []).push(milliseconds / 1000);
    if (status < 400 || this.flaws.size > 20) return;
    const headers = Object.fromEntries(
      head
        .split('\r\n')
        .slice(1)
        .map((line) => [line.split(':', 1)[0].toLowerCase(), line.split(': ')[1]]),
    );
    const text = body.toString();
    const flaw = flawOf({ status, headers, text, json: parsed(text) });
    if (flaw) this.flaws.add(flaw);
  }
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function run(plan) {
  const report = new FloodReport();
  for (let i = 0; i < plan.connections; i++) new Caller(plan, report);
  setTimeout(() => {
    report.isOver = true;
    const { statuses, flaws, times } = report;
    for (const list of Object.values(times)) list.sort((a, b) => a - b);
    process.send({ statuses, flaws: [...flaws], seconds: times }, () => process.exit());
  }, plan.seconds * 1000);
}

if (process.argv[2] === 'flood') {
  process.once('message', run);
  process.on('disconnect', () => process.exit());
}
