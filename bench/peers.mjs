/**
 * `npm run bench:peers` compares this server with an application of NestJS and TypeORM (`peers/nestjs/`), on the same
 * PostgreSQL and products: on Express, as the NestJS documentation shows it, and on Fastify, with the rate limits,
 * serializer and ETags that a team adds. `--smoke` only checks that everything works.
 */
import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { categoryPages, newProducts, times } from './cases/requests.mjs';
import { addressed, asker, logIn } from './client.mjs';
import { loadTool } from './load.mjs';
import { figuresOf, loadInTurn, repeatableRandom, workOf } from './measure.mjs';
import { alignedTable, micros, rate } from './report.mjs';
import { root, startServer } from './servers.mjs';
import { measureCases, onStage, settleCpus } from './stage.mjs';

const isSmoke = process.argv.includes('--smoke');
const FOLDER = root('.data/bench-peers/nestjs');
const SECRET = 'a-secret-of-the-benchmark-with-more-than-32-bytes';

/** The programs of the peers, by the names of their columns. */
const PEERS = { Express: 'dist/main.js', Fastify: 'dist/main.fastify.js' };
const peerNames = Object.keys(PEERS);

const CASES = [
  { name: 'get', title: 'Read by id', paths: ({ ids }) => ids.map((id) => same(`/products/${id}`)) },
  {
    name: 'page',
    title: 'Pages 1 to 50 of 20, with total',
    paths: () => times(50, (index) => same(`/products?page=${index + 1}&limit=20`)),
  },
  {
    name: 'filtered',
    title: 'Category in stock, by price, with total',
    paths: (context) =>
      categoryPages(context).map(({ category, page }) => {
        const path = `/products?category=${encodeURIComponent(category)}&inStock=true&page=${page}&limit=20`;
        return { ours: { path: `${path}&sort=price:asc` }, peer: { path: `${path}&sort=price` } };
      }),
  },
  {
    name: 'create',
    title: 'Create',
    paths: (context) => newProducts(context).map((product) => same('/products', product)),
  },
];

install();
const cpus = settleCpus({ server: '0', load: '1' });
const options = {
  connections: 64,
  rounds: isSmoke ? 1 : 3,
  seconds: isSmoke ? 1 : 4,
  warmup: isSmoke ? 0 : 2,
};
const stageOptions = {
  products: isSmoke ? 2000 : 100_000,
  cpus,
  ownDatabase: true,
  others: Object.fromEntries(peerNames.map((name) => [name, (place) => startPeer(place, name, PEERS[name])])),
};
const results = await onStage(stageOptions, (stage) =>
  measureCases(
    CASES,
    stage,
    (one) => measure(one, stage),
    ({ works }) => `${works.map(decimal).join(' and ')} times the work`,
  ),
);
const cells = ({ title, error, ours, peers, works }) =>
  error
    ? [title, 'FAILED', ...HEAD.slice(2).map(() => '')]
    : [title, rate(ours), ...peers.map(rate), micros(ours), ...peers.map(micros), ...works.map(decimal)];
const HEAD = [
  'case',
  ...['ours', ...peerNames].map((name) => `${name} req/s`),
  ...['ours', ...peerNames].map((name) => `${name} µs CPU`),
  ...peerNames.map((name) => `work for the CPU of ${name}`),
];
console.log(`\n${alignedTable([HEAD, ...results.map(cells)])}`);
if (results.some(({ error }) => error)) process.exitCode = 1;

/** Copies the peer's files to a folder that git ignores, and installs the packages of its lock file. */
function install() {
  cpSync(root('bench/peers/nestjs'), FOLDER, { recursive: true });
  const npm = (...args) => execFileSync('npm', args, { cwd: FOLDER, stdio: 'inherit' });
  npm('ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline');
  npm('run', 'build');
}

function startPeer(place, name, program) {
  return startServer(place, {
    name,
    command: [process.execPath, program],
    folder: FOLDER,
    settings: { NODE_ENV: 'production', JWT_SECRET: SECRET },
    prefix: '',
    ready: { path: '/', is: ({ status }) => status < 500 },
  });
}

/** Returns the same request for this server and the peers. */
function same(path, body) {
  const headers = { 'content-type': 'application/json' };
  const request = body ? { method: 'POST', path, headers, body: JSON.stringify(body) } : { path };
  return { ours: request, peer: request };
}

function decimal(work) {
  return work?.toFixed(1) ?? '?';
}

async function measure({ name, title, paths }, { servers, subjects, directory, postmaster }) {
  try {
    const pairs = paths({ ...subjects, random: repeatableRandom(20) });
    const credentials = { ours: (await logIn(servers.ours))[0] };
    for (const peer of peerNames) credentials[peer] = await logInToPeer(servers[peer]);
    await check(pairs[0], servers, credentials, name === 'create');
    const requests = Object.fromEntries(
      Object.entries(servers).map(([server, target]) => [
        server,
        pairs.map((pair) => addressed(target, credentials[server], requestOf(pair, server))),
      ]),
    );
    const status = name === 'create' ? 201 : 200;
    const conditions = { ...options, tool: loadTool(), cpus, directory, postmaster };
    const rounds = await loadInTurn(
      { status: Object.fromEntries(Object.keys(servers).map((server) => [server, status])) },
      servers,
      requests,
      conditions,
    );
    const [ours, ...peers] = ['ours', ...peerNames].map((server) => figuresOf(rounds, server));
    return { name, title, ours, peers, works: peers.map((peer) => workOf(ours, peer)) };
  } catch (error) {
    return { name, title, error: error.message };
  }
}

function requestOf(pair, server) {
  return server === 'ours' ? pair.ours : pair.peer;
}

/** Returns the credentials of a login to a peer. */
async function logInToPeer(server) {
  const { peer: login } = same('/auth/login', { username: 'john', password: 'changeme' });
  const { access_token: token } = (await asker(server, {})(login)).body;
  return { authorization: `Bearer ${token}` };
}

/** @throws {Error} if the servers return different products, or accept requests without credentials */
async function check(pair, servers, credentials, isCreate) {
  const shown = [];
  for (const [server, target] of Object.entries(servers)) {
    if ((await asker(target, {})(requestOf(pair, server))).status !== 401)
      throw new Error(`${server} accepts requests without credentials`);
    const { status, body } = await asker(target, credentials[server])(requestOf(pair, server));
    if (status >= 300) throw new Error(`${server} answered ${status}: ${JSON.stringify(body)}`);
    const rows = body.data ?? [body];
    shown.push(rows.map(({ id, name, price }) => ({ id: isCreate ? 0 : id, name, price: Number(price) })));
  }
  if (!shown.every((rows) => isDeepStrictEqual(rows, shown[0])))
    throw new Error(`the answers differ: ${JSON.stringify(shown)}`);
}
