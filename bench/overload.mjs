/**
 * `npm run bench:overload`: what MAX_IN_FLIGHT does when far more clients come than can be served. For each value: a
 * few clients alone, then a crowd, then the few again. `--help` lists the options.
 */
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { logIn } from './client.mjs';
import { connect, openDatabase, pinDatabase, readSubjects, seed } from './database.mjs';
import { pinned, whyUnpinned } from './pinning.mjs';
import { startOurs } from './servers.mjs';

const USAGE = `npm run bench:overload -- [options]

  --max-in-flight <n>  a value of MAX_IN_FLIGHT, may be repeated      (32 64 128 256 512 1000)
  --connections <n>    clients in the crowd                           (800)
  --few <n>            clients that are no crowd                      (8)
  --seconds <n>        length of each load                            (5)
  --pause <n>          milliseconds that a refused client waits       (0)
  --products <n>       products seeded                                (20000)

p99 of the crowd is that of what was let in, in milliseconds; x is how many times that of the few it is. A refused client
that waits for nothing is the worst case; well-behaved ones wait for Retry-After, a second. Ends with exit code 1 if a
load has no answer of 200, an answer of another status than expected, or none.`;

const { values } = parseArgs({
  options: {
    'max-in-flight': { type: 'string', multiple: true, default: ['32', '64', '128', '256', '512', '1000'] },
    connections: { type: 'string', default: '800' },
    few: { type: 'string', default: '8' },
    seconds: { type: 'string', default: '5' },
    pause: { type: 'string', default: '0' },
    products: { type: 'string', default: '20000' },
    help: { type: 'boolean' },
  },
});
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}

const cpus = whyUnpinned() === null ? { server: '0', load: '1' } : { server: null, load: null };
const directory = await mkdtemp(join(tmpdir(), 'service-bench-'));
await chmod(directory, 0o755); // PostgreSQL may run as another user
const products = Number(values.products);
const database = await openDatabase({ directory, isKept: false, products }, (line) =>
  console.log(`  ${line}`),
);
try {
  await bench();
} finally {
  await database.close();
  await rm(directory, { recursive: true, force: true });
}

async function bench() {
  const place = { databaseUrl: database.url, cpus: cpus.server, directory };
  const first = await startOurs(place); // migrates
  const client = await connect(database.url);
  await seed(client, { url: database.url, directory }, products);
  if (cpus.load !== null) await pinDatabase(client, cpus.load);
  const { ids } = await readSubjects(client);
  await client.end();
  await first.stop();
  console.log(
    [
      'MAX_IN_FLIGHT',
      'few p99',
      'crowd p99',
      'x',
      'let in/s',
      'refused/s',
      'refused p99',
      'health p99',
      '401 p99',
      'after p99',
    ].join(' | '),
  );
  for (const maxInFlight of values['max-in-flight']) await measure(maxInFlight, place, ids);
}

async function measure(maxInFlight, place, ids) {
  const server = await startOurs(place, { MAX_IN_FLIGHT: maxInFlight });
  try {
    const requests = await requestsOf(server, ids);
    const [few, connections, seconds] = [values.few, values.connections, values.seconds].map(Number);
    const warm = await crowd(server, requests, few, 2);
    const alone = await crowd(server, requests, few, seconds);
    const crowded = await crowd(server, requests, connections, seconds);
    const after = await crowd(server, requests, few, seconds);
    if (process.env.VERBOSE) console.log(JSON.stringify({ alone, crowded, after }));
    const ms = (value) => (value === null ? '–' : value.toFixed(1));
    console.log(
      [
        maxInFlight,
        ms(alone.admitted.p99),
        ms(crowded.admitted.p99),
        (crowded.admitted.p99 / alone.admitted.p99).toFixed(1),
        Math.round(crowded.admitted.perSecond),
        Math.round(crowded.refused.perSecond),
        ms(crowded.refused.p99),
        ms(crowded.health.p99),
        ms(crowded.unauthenticated.p99),
        ms(after.admitted.p99) + (after.refused.perSecond > 0 ? ' (refusing)' : ''),
      ].join(' | '),
    );
    for (const [load, result] of Object.entries({ warm, alone, crowded, after })) report(load, result);
  } finally {
    await server.stop();
  }
}

/** Says what was wrong with a load. A server that refuses the crowd is not; one that lets nobody in is. */
function report(load, { admitted, unexpected, unanswered }) {
  const faults = [
    ...(admitted.perSecond > 0 ? [] : ['no request was let in']),
    ...(unexpected > 0 ? [`${unexpected} answers had another status than expected`] : []),
    ...(unanswered > 0 ? [`${unanswered} requests were not answered`] : []),
  ];
  if (faults.length === 0) return;
  console.error(`  ${load}: ${faults.join(', ')}`);
  process.exitCode = 1;
}

/** Single products and pages of them, half and half. */
async function requestsOf(server, ids) {
  const [headers] = await logIn(server);
  return ids.slice(0, 2000).map((id, i) => ({
    path: i % 2 === 0 ? `/api/v1/products/${id}` : `/api/v1/products?cursor=&limit=20&minPrice=${i % 100}`,
    headers,
  }));
}

async function crowd(server, requests, connections, seconds) {
  const probes = { health: { path: '/health/live' }, unauthenticated: { path: '/api/v1/products' } };
  const job = { url: server.url, requests, probes, connections, seconds, pauseMs: Number(values.pause) };
  const file = join(directory, 'crowd-job.json');
  await writeFile(file, JSON.stringify(job));
  const script = fileURLToPath(new URL('crowd.mjs', import.meta.url));
  const [program, ...parameters] = pinned(cpus.load, [process.execPath, script, file]);
  const { stdout } = await promisify(execFile)(program, parameters);
  server.clearLog();
  return JSON.parse(stdout);
}
