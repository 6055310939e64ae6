/** What settings cost a read by id: our server as it is against our server with the setting. */
import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { join } from 'node:path';
import { measure, together } from './measure.mjs';
import { root, startOurs } from './servers.mjs';

/** The level at which lines have times: see docs/operations.md. */
const levelOfTimes = Number(process.versions.node.split('.')[0]) >= 24 ? 'info' : 'debug';

/**
 * Each with the environment variables of the server that has it (`on`) and of both, and the program of the one
 * without it, where that takes another build.
 */
const SETTINGS = [
  {
    title: 'metrics (`METRICS_PORT`)',
    prepare: async () => ({ on: { METRICS_PORT: '0' } }),
  },
  {
    title: 'traces, all requests (`OTEL_EXPORTER_OTLP_ENDPOINT`)',
    prepare: async () => {
      const { url, close } = await collector();
      return { on: { OTEL_EXPORTER_OTLP_ENDPOINT: url }, close };
    },
  },
  {
    title: 'times in log lines (`queueMs` to `ownMs`)',
    prepare: async ({ directory }) => ({
      both: { LOG_LEVEL: levelOfTimes },
      offScript: await withoutFollowing(directory, 'times'),
    }),
  },
  {
    title: 'traces that are off, against a build that has none',
    prepare: async ({ directory }) => ({
      both: { LOG_LEVEL: 'warn' },
      offScript: await withoutFollowing(directory, 'traces'),
    }),
  },
];

/**
 * @param {import('./stage.mjs').Stage} stage
 * @param {import('./cases.mjs').Case} subject what is asked of both servers
 * @param {object} options as `measure` takes them
 * @param {(line: string) => void} log
 */
export async function measureSettings({ place, subjects }, subject, options, log) {
  const results = [];
  for (const { title, prepare } of SETTINGS) {
    const { on = {}, both = {}, offScript, close } = await prepare(place);
    const passes = [];
    const measurePair = (servers) => measure(subject, servers, subjects, { ...options, against: on });
    const starts = {
      ours: () => startOurs(place, both, 'ours', offScript),
      baseline: () => startOurs(place, { ...both, ...on }, 'baseline'),
    };
    try {
      while (passes.length < options.processes) passes.push(await withServers(starts, measurePair));
    } finally {
      close?.();
    }
    const result = together(passes);
    log(`${title}: ${result.error ?? costOf(result)}`);
    results.push({ ...result, title });
  }
  return results;
}

/** Starts servers one after the other, has them used, and stops those that started. */
async function withServers(starts, use) {
  const servers = {};
  try {
    for (const [name, start] of Object.entries(starts)) servers[name] = await start();
    return await use(servers);
  } finally {
    for (const server of Object.values(servers)) await server.stop();
  }
}

/** How much more processor time a request takes with the setting. */
export const costOf = ({ work }) =>
  work === null ? '?' : `${work < 1 ? '−' : '+'}${Math.abs((work - 1) * 100).toFixed(1)} %`;

/** Takes spans, and forgets them. */
async function collector() {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.setHeader('content-type', 'application/json').end('{}'));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

const FOLLOWS = /if \(tracer \|\| log\.isFollowing\)\s+follow\(response, tracer, work\);\s+else\s+work\(\);/;

/**
 * A copy of the build that follows no request, neither for its trace nor for its line in the log.
 *
 * @returns its program
 */
async function withoutFollowing(directory, name) {
  const folder = join(directory, name);
  await cp(root('dist'), join(folder, 'dist'), { recursive: true });
  await cp(root('package.json'), join(folder, 'package.json'));
  await symlink(root('node_modules'), join(folder, 'node_modules'));
  const file = join(folder, 'dist/src/app.factory.js');
  const text = await readFile(file, 'utf8');
  if (!FOLLOWS.test(text))
    throw new Error('src/app.factory.ts follows requests in another way than bench/settings.mjs knows');
  await writeFile(file, text.replace(FOLLOWS, 'work();'));
  return join(folder, 'dist/src/main.js');
}
