/**
 * Runs autocannon once in a separate process: `node load-autocannon.mjs <job.json>`. Prints the result as JSON. By
 * default, all connections of autocannon send the same requests in the same order, and would read the same product at the
 * same time. Here, each connection gets its own share of the requests. Latencies come from the events of autocannon,
 * because its histogram has only whole milliseconds.
 */
import autocannon from 'autocannon';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';

const { url, requests, connections, seconds, expectedStatus, unique } = JSON.parse(
  await readFile(process.argv[2], 'utf8'),
);
const latencies = [];
let unexpected = 0;
let clients = 0;

/** If a header must be unique, makes autocannon rebuild the request each time it is sent. */
function prepared(request) {
  const marked = Object.keys(request.headers ?? {}).filter((name) => request.headers[name] === unique);
  if (marked.length === 0) return request;
  const setupRequest = (due) => {
    const values = Object.fromEntries(marked.map((name) => [name, randomUUID()]));
    return { ...due, headers: { ...due.headers, ...values } };
  };
  return { ...request, setupRequest };
}

function setupClient(client) {
  const offset = clients++;
  const share = requests.filter((_, index) => index % connections === offset);
  const own = share.length > 0 ? share : [requests[offset % requests.length]];
  client.setRequests(own.map(prepared));
  client.on('response', (status, _bytes, milliseconds) => {
    latencies.push(milliseconds);
    if (status !== expectedStatus) unexpected++;
  });
}

const run = await autocannon({ url, connections, duration: seconds, setupClient });
latencies.sort((a, b) => a - b);
const percentile = (share) =>
  latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0;
console.log(
  JSON.stringify({
    requests: latencies.length,
    seconds: run.duration,
    p50: percentile(0.5),
    p99: percentile(0.99),
    unexpected,
    socketErrors: run.errors + run.timeouts + run.resets,
  }),
);
