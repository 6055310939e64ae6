/** Measures one case: checks the answers, warms up, then loads the two servers in turn. */
import { addressed, asker, check, logIn } from './client.mjs';
import { load } from './load.mjs';
import { treeCpuSeconds } from './pinning.mjs';

/** @typedef {{ ours: import('./servers.mjs').Server, baseline: import('./servers.mjs').Server }} Servers */
/**
 * One server's figures: of a round, or the medians of all rounds.
 * @typedef {object} Figures
 * @property {number} requestsPerSecond
 * @property {number} p50 milliseconds
 * @property {number} p99 milliseconds
 * @property {number | null} busy share of its core that the server used; well below 1, something else was the limit
 * @property {number | null} serverMicros processor time of the server per request, in microseconds
 * @property {number | null} databaseMicros that of PostgreSQL
 */
/**
 * @typedef {object} Result
 * @property {string} name
 * @property {string} title
 * @property {string} [error] why there are no figures
 * @property {number} [ratio] the median of the rounds' ratios, ours to baseline
 * @property {number | null} [work] the work for the same processor time of server and PostgreSQL, ours to baseline
 * @property {Figures} [ours]
 * @property {Figures} [baseline]
 * @property {{ ratio: number, ours: Figures, baseline: Figures }[]} [rounds]
 */

/**
 * @param {import('./cases.mjs').Case} subject
 * @param {Servers} servers
 * @param {Awaited<ReturnType<import('./database.mjs').readSubjects>>} subjects
 * @param {object} options as readOptions gives them, with the load's tool, its cpus and a directory settled
 * @returns {Promise<Result>}
 */
export async function measure(subjectOfBoth, servers, subjects, options) {
  const subject = options.against ? ofOurs(subjectOfBoth) : subjectOfBoth;
  const { name, title } = subject;
  try {
    const requests = await prepare(subject, servers, subjects);
    const run = (server, usual) =>
      loadOnce(server, requests[server.name], { subject, seconds: usual * (subject.stretch ?? 1), options });
    if (options.warmup > 0) for (const server of Object.values(servers)) await run(server, options.warmup);
    const rounds = [];
    while (rounds.length < options.rounds) rounds.push(await round(servers, rounds.length, run, options));
    return { name, title, ...summary(rounds), rounds };
  } catch (error) {
    return { name, title, error: error.message };
  }
}

/** A case in which both are our server: they are asked for the same, with the same credentials. */
const ofOurs = (subject) => ({
  ...subject,
  status: { ours: subject.status.ours, baseline: subject.status.ours },
  areBothOurs: true,
  pairs: async (context) => (await subject.pairs(context)).map(({ ours }) => ({ ours, baseline: ours })),
});

/**
 * Loads our server alone: how its cost changes with what is in the tables needs no yardstick.
 *
 * @param {import('./cases.mjs').Case} subject
 * @param {Servers} servers the baseline checks the answers
 * @returns {Promise<{ name: string, title: string, error?: string, ours?: Figures }>}
 */
export async function measureAlone(subject, servers, subjects, options) {
  const { name, title } = subject;
  try {
    const { ours: requests } = await prepare(subject, servers, subjects);
    const run = (seconds) => loadOnce(servers.ours, requests, { subject, seconds, options });
    if (options.warmup > 0) await run(options.warmup);
    const rounds = [];
    while (rounds.length < options.rounds) rounds.push({ ours: await run(options.seconds) });
    return { name, title, ours: figuresOf(rounds, 'ours') };
  } catch (error) {
    return { name, title, error: error.message };
  }
}

/** Who is first changes from round to round, so that neither gains from what the other left behind. */
async function round({ ours, baseline }, index, run, { seconds }) {
  const figures = {};
  for (const server of index % 2 ? [baseline, ours] : [ours, baseline]) {
    figures[server.name] = await run(server, seconds);
  }
  if (figures.baseline.requestsPerSecond === 0) throw new Error('the baseline gave no answer in time');
  return { ratio: figures.ours.requestsPerSecond / figures.baseline.requestsPerSecond, ...figures };
}

async function prepare(subject, servers, subjects) {
  const logins = await logIn(servers.ours);
  const asks = { ours: asker(servers.ours, logins[0]), baseline: asker(servers.baseline, {}) };
  const credentials = subject.credentials ? await subject.credentials({ ours: asks.ours }) : logins;
  if (subject.credentials) asks.ours = asker(servers.ours, credentials[0]);
  if (subject.areBothOurs) asks.baseline = asker(servers.baseline, credentials[0]);
  const pairs = await subject.pairs({ ...subjects, ...asks, random: repeatableRandom(20) });
  await check(subject, pairs, asks);
  const size = Math.max(pairs.length, credentials.length);
  const ofAll = (name, carried) =>
    Array.from({ length: size }, (_, index) =>
      addressed(servers[name], carried[index % carried.length], pairs[index % pairs.length][name]),
    );
  return {
    ours: ofAll('ours', credentials),
    baseline: ofAll('baseline', subject.areBothOurs ? credentials : [{}]),
  };
}

async function loadOnce(server, requests, { subject, seconds, options }) {
  const { connections, tool, directory, postmaster } = options;
  const expectedStatus = subject.status[server.name];
  const place = { tool, cpus: options.cpus.load, directory, url: server.url };
  const usage = () => ({
    server: treeCpuSeconds(server.pid), // with its workers
    database: postmaster === null ? null : treeCpuSeconds(postmaster),
  });
  const before = usage();
  const result = await load({ ...place, requests, connections, seconds, expectedStatus });
  const after = usage();
  server.clearLog();
  if (result.error) throw new Error(`${server.name} under load: ${server.lastWords() ?? result.error}`);
  const { requestsPerSecond, p50, p99 } = result;
  const used = (key) => (before[key] === null ? null : after[key] - before[key]);
  const perRequest = (key) =>
    used(key) === null ? null : (used(key) / (requestsPerSecond * result.seconds)) * 1e6;
  return {
    requestsPerSecond,
    p50,
    p99,
    busy: used('server') === null ? null : used('server') / result.seconds,
    serverMicros: perRequest('server'),
    databaseMicros: perRequest('database'),
  };
}

const FIGURES = ['requestsPerSecond', 'p50', 'p99', 'busy', 'serverMicros', 'databaseMicros'];

const figuresOf = (rounds, server) =>
  Object.fromEntries(FIGURES.map((key) => [key, median(rounds.map((each) => each[server][key]))]));

function summary(rounds) {
  const ours = figuresOf(rounds, 'ours');
  const baseline = figuresOf(rounds, 'baseline');
  return { ratio: median(rounds.map(({ ratio }) => ratio)), work: workOf(ours, baseline), ours, baseline };
}

/** How many requests we answer in the processor time in which the baseline answers one. */
function workOf(ours, baseline) {
  const microsOf = ({ serverMicros, databaseMicros }) => serverMicros + databaseMicros;
  const isKnown = [ours, baseline].every(({ databaseMicros }) => databaseMicros !== null);
  return isKnown ? microsOf(baseline) / microsOf(ours) : null;
}

function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (sorted[0] === null) return null;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** mulberry32: the same numbers in each run, so that two runs ask for the same things. */
function repeatableRandom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}
