/** Measures a case: checks the responses, warms the servers up, then loads them in turn. */
import { setTimeout as sleep } from 'node:timers/promises';
import { addressed, asker, check, logIn } from './client.mjs';
import { load } from './load.mjs';
import { treeCpuSeconds } from './pinning.mjs';

const IDLE_WINDOW_MS = 100;
const IDLE_SHARE = 0.25; // of a core; pending requests would use a whole one
/** With a million rows to count, the baseline works for half a minute on the last requests of 64 connections. */
const IDLE_TIMEOUT_MS = 120_000;

/** @typedef {{ ours: import('./servers.mjs').Server, baseline: import('./servers.mjs').Server }} Servers */
/**
 * The figures of a server: those of a round, or the medians of all rounds.
 * @typedef {object} Figures
 * @property {number} requestsPerSecond
 * @property {number} p50 milliseconds
 * @property {number} p99 milliseconds
 * @property {number | null} busy the share of its core that the server used. Well below 1, something else was the limit
 * @property {number | null} serverMicros processor time of the server per request, in microseconds
 * @property {number | null} databaseMicros processor time of PostgreSQL per request, in microseconds
 */
/**
 * @typedef {object} Result
 * @property {string} name
 * @property {string} title
 * @property {string} [error] why there are no figures
 * @property {number} [ratio] the median of the rounds' ratios, ours divided by the baseline
 * @property {number | null} [work] the ratio of the work for the same processor time of server and PostgreSQL
 * @property {(number | null)[]} [works] `work` of each pair of processes, if there are several
 * @property {Figures} [ours]
 * @property {Figures} [baseline]
 * @property {{ ratio: number, ours: Figures, baseline: Figures }[]} [rounds]
 */

/**
 * @param {import('./cases.mjs').Case} subject
 * @param {Servers} servers
 * @param {Awaited<ReturnType<import('./database.mjs').readSubjects>>} subjects
 * @param {object} options the result of readOptions, with the load's tool, its cpus and a directory added
 * @returns {Promise<Result>}
 */
export async function measure(subjectOfBoth, servers, subjects, options) {
  const subject = options.against ? ofOurs(subjectOfBoth) : subjectOfBoth;
  const { name, title } = subject;
  try {
    const requests = await prepare(subject, servers, subjects);
    const { status, stretch = () => 1 } = subject;
    const seconds = options.seconds * stretch(subjects);
    const rounds = (await loadInTurn({ status }, servers, requests, { ...options, seconds })).map(withRatio);
    return { name, title, ...summary(rounds), rounds };
  } catch (error) {
    return { name, title, error: error.message };
  }
}

/**
 * Loads servers before their first case, without measuring: V8 continues to compile for some 200,000 requests, and until
 * then a read by id costs up to twice as much as later.
 *
 * @param {import('./cases.mjs').Case} subject
 * @param {import('./stage.mjs').Stage} stage
 * @param {object} options as for `measure`, with the seconds for each server as `breakIn`
 * @param {Record<string, import('./servers.mjs').Server>} [those] the servers to load; default: all of the stage
 */
export async function breakIn(subject, stage, options, those = stage.servers) {
  const { servers, subjects, directory, postmaster } = stage;
  const { breakIn: warmup, against } = options;
  if (warmup === 0) return;
  const shared = against ? ofOurs(subject) : subject;
  const requests = await prepare(shared, servers, subjects);
  const conditions = { ...options, directory, postmaster, rounds: 0, warmup };
  await loadInTurn({ status: shared.status }, those, requests, conditions);
}

/**
 * Combines the results of a case with several pairs of processes.
 * @param {Result[]} results
 * @returns {Result}
 */
export function together(results) {
  const failed = results.find(({ error }) => error);
  if (failed || results.length === 1) return failed ?? results[0];
  const rounds = results.flatMap((result) => result.rounds);
  const [{ name, title }] = results;
  return { name, title, ...summary(rounds), rounds, works: results.map(({ work }) => work) };
}

/** Returns a case for which both servers are ours, so that both get the same requests and credentials. */
const ofOurs = (subject) => ({
  ...subject,
  status: { ours: subject.status.ours, baseline: subject.status.ours },
  areBothOurs: true,
  pairs: async (context) => (await subject.pairs(context)).map(({ ours }) => ({ ours, baseline: ours })),
});

/**
 * @typedef {{ name: string, title: string, error?: string, ours?: Figures, rounds?: { ours: Figures }[] }} OfStage
 */
/**
 * Loads only our server, on several stages in alternating rounds. No baseline is needed to see how the cost changes with
 * the tables, and a slow phase of the machine affects all stages.
 *
 * @param {import('./cases.mjs').Case} subject
 * @param {import('./stage.mjs').Stage[]} stages whose baselines are used to check the responses
 * @returns {Promise<OfStage[]>} one for each stage
 */
export async function measureInTurn(subject, stages, options) {
  const { name, title } = subject;
  try {
    const loads = [];
    for (const { servers, subjects, directory, postmaster } of stages) {
      const { ours: requests } = await prepare(subject, servers, subjects);
      const conditions = { subject, options: { ...options, directory, postmaster } };
      loads.push((round, seconds) =>
        loadOnce(servers.ours, partOf(requests, round), { ...conditions, seconds }),
      );
    }
    if (options.warmup > 0) for (const run of loads) await run(0, options.warmup);
    const rounds = loads.map(() => []);
    for (let round = 0; round < options.rounds; round++)
      for (let turn = 0; turn < loads.length; turn++) {
        const index = (round + turn) % loads.length; // the first one changes, as in `loadInTurn`
        rounds[index].push({ ours: await loads[index](round + 1, options.seconds) });
      }
    return rounds.map((ofStage) => ({ name, title, ours: figuresOf(ofStage, 'ours'), rounds: ofStage }));
  } catch (error) {
    return stages.map(() => ({ name, title, error: error.message }));
  }
}

/**
 * Warms the servers up, then loads them in turn, round by round. The first one changes from round to round, so that no
 * server always profits from running after another.
 *
 * @param {{ status: Record<string, number> }} subject
 * @param {Record<string, import('./servers.mjs').Server>} servers
 * @param {Record<string, import('./load.mjs').Request[]>} requests of each server, by its name
 * @returns {Promise<Record<string, Figures>[]>} for each round the figures of each server, by its name
 */
export async function loadInTurn(subject, servers, requests, options) {
  const run = (server, round, seconds) =>
    loadOnce(server, partOf(requests[server.name], round), { subject, seconds, options });
  const all = Object.values(servers);
  if (options.warmup > 0) for (const server of all) await run(server, 0, options.warmup);
  const rounds = [];
  while (rounds.length < options.rounds) {
    const first = rounds.length % all.length;
    const figures = {};
    for (const server of [...all.slice(first), ...all.slice(0, first)])
      figures[server.name] = await run(server, rounds.length + 1, options.seconds);
    rounds.push(figures);
  }
  return rounds;
}

/** The number of requests in a round, which is more than a server answers in a second. */
const PART = 40_000;

/** Returns the requests of a round. If there are enough, each round gets other ones. */
export function partOf(requests, round) {
  if (requests.length <= PART) return requests;
  const begin = (round * PART) % requests.length;
  return [...requests.slice(begin), ...requests.slice(0, begin)].slice(0, PART);
}

function withRatio({ ours, baseline }) {
  if (baseline.requestsPerSecond === 0) throw new Error('the baseline did not respond in time');
  return { ratio: ours.requestsPerSecond / baseline.requestsPerSecond, ours, baseline };
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
    server: treeCpuSeconds(server.pid), // including its workers
    database: postmaster === null ? null : treeCpuSeconds(postmaster),
  });
  const before = usage();
  const result = await load({ ...place, requests, connections, seconds, expectedStatus });
  const after = usage();
  await untilIdle(() => Object.values(usage()).reduce((sum, seconds) => sum + seconds, 0));
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

/** Waits until a server has finished its last requests after a load, so that they do not slow down the next one. */
async function untilIdle(cpuSeconds) {
  const end = Date.now() + IDLE_TIMEOUT_MS;
  for (let before = cpuSeconds(), isIdle = false; !isIdle && Date.now() < end;) {
    await sleep(IDLE_WINDOW_MS);
    const now = cpuSeconds();
    isIdle = now - before < (IDLE_WINDOW_MS / 1000) * IDLE_SHARE;
    before = now;
  }
}

const FIGURES = ['requestsPerSecond', 'p50', 'p99', 'busy', 'serverMicros', 'databaseMicros'];

/** @param {Record<string, Figures>[]} rounds @param {string} server @returns {Figures} the medians */
export const figuresOf = (rounds, server) =>
  Object.fromEntries(FIGURES.map((key) => [key, median(rounds.map((each) => each[server][key]))]));

function summary(rounds) {
  const ours = figuresOf(rounds, 'ours');
  const baseline = figuresOf(rounds, 'baseline');
  const ratio = median(rounds.map((round) => round.ratio));
  // Compares within each round, because a slow phase of the machine that is longer than a round affects both servers.
  const work = median(rounds.map((round) => workOf(round.ours, round.baseline)));
  return { ratio, work, ours, baseline };
}

/**
 * Returns how many requests we answer in the processor time in which the baseline answers one.
 * @param {Figures} ours
 * @param {Figures} baseline
 * @returns {number | null} null if PostgreSQL runs elsewhere
 */
export function workOf(ours, baseline) {
  const [micros, baselineMicros] = [microsOf(ours), microsOf(baseline)];
  return micros === null || baselineMicros === null ? null : baselineMicros / micros;
}

/** Returns the processor time of a request. @returns {number | null} null if PostgreSQL runs elsewhere */
const microsOf = ({ serverMicros, databaseMicros }) =>
  databaseMicros === null ? null : serverMicros + databaseMicros;

/** @param {(number | null)[]} values @returns {number | null} */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (sorted[0] === null) return null;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Returns a random generator (mulberry32) with the same numbers in each run, so that all runs send the same requests. */
export function repeatableRandom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}
