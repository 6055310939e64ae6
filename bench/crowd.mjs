/**
 * A crowd of clients in a process of its own: `node crowd.mjs <job.json>`, the result as JSON on stdout. Each has a
 * connection, sends its next request when it has the answer and, where it was refused with 503, waits first.
 * autocannon does not tell the latencies of one status from those of another.
 */
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const { url, requests, probes, connections, seconds, pauseMs } = JSON.parse(
  await readFile(process.argv[2], 'utf8'),
);
const { hostname, port } = new URL(url);
const endsAt = performance.now() + seconds * 1000;
const latencies = { admitted: [], refused: [], health: [], unauthenticated: [] };
/** Answers with another status than expected. */
let unexpected = 0;
/** Requests whose connection closed before they were answered. */
let unanswered = 0;

const wire = ({ method = 'GET', path, headers = {} }) => {
  const lines = Object.entries({ host: 'bench', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
};

/** An answer that takes longer does not come. */
const ANSWER_TIMEOUT_MS = 30_000;

/**
 * Sends on one connection, over and over.
 * @param {() => string} next gives the next request
 * @param {(status: number, milliseconds: number) => void} heard
 * @param {(status: number) => number} pauseAfter gives the milliseconds that pass before the next request
 */
function client(next, heard, pauseAfter) {
  const socket = connect({ port: Number(port), host: hostname, noDelay: true });
  socket.setTimeout(ANSWER_TIMEOUT_MS, () => socket.destroy());
  let isWaiting = true;
  let sentAt = 0;
  let received = '';
  const send = () => {
    isWaiting = performance.now() < endsAt;
    if (!isWaiting) {
      socket.end();
      return;
    }
    sentAt = performance.now();
    socket.write(next());
  };
  socket.setEncoding('latin1');
  socket.on('connect', send);
  socket.on('data', (text) => {
    received += text;
    const head = received.indexOf('\r\n\r\n');
    if (head < 0) return;
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(received)?.[1] ?? 0);
    if (received.length < head + 4 + length) return;
    const status = Number(received.slice(9, 12));
    received = '';
    isWaiting = false;
    heard(status, performance.now() - sentAt);
    const pause = pauseAfter(status);
    if (pause > 0) setTimeout(send, pause);
    else send();
  });
  socket.on('error', () => {}); // what follows tells: the connection closes
  return new Promise((resolve) =>
    socket.on('close', () => {
      if (isWaiting) unanswered++;
      resolve();
    }),
  );
}

let turn = 0;
const wires = requests.map(wire);
const reader = () =>
  client(
    () => wires[turn++ % wires.length],
    (status, milliseconds) => {
      if (status === 200) latencies.admitted.push(milliseconds);
      else if (status === 503) latencies.refused.push(milliseconds);
      else unexpected++;
    },
    (status) => (status === 503 ? pauseMs : 0),
  );
const prober = (name, request, expected) =>
  client(
    () => request,
    (status, milliseconds) => {
      if (expected.includes(status)) latencies[name].push(milliseconds);
      else unexpected++;
    },
    () => 10,
  );

const all = [
  prober('health', wire(probes.health), [200]),
  prober('unauthenticated', wire(probes.unauthenticated), [401, 503]),
];
for (let i = 0; i < connections; i++) {
  all.push(reader());
  if (i % 50 === 49) await sleep(5);
}
await Promise.all(all);

const summary = (values) => {
  values.sort((a, b) => a - b);
  const at = (share) => values[Math.min(values.length - 1, Math.floor(values.length * share))] ?? null;
  return { perSecond: values.length / seconds, p50: at(0.5), p99: at(0.99) };
};
console.log(
  JSON.stringify({
    ...Object.fromEntries(Object.entries(latencies).map(([name, values]) => [name, summary(values)])),
    unexpected,
    unanswered,
  }),
);
