/** Measures one case: checks the answers, warms up, then loads the two servers in turn. */
import { setTimeout as sleep } from 'node:timers/promises';
import { addressed, asker, check, logIn } from './client.mjs';
import { load } from './load.mjs';
import { treeCpuSeconds } from './pinning.mjs';

const IDLE_WINDOW_MS = 100;
const IDLE_SHARE = 0.25; // of a core; what is still asked for takes a whole one
/** Where it counts a million rows, the baseline goes on for half a minute with what 64 connections have asked for. */
const IDLE_TIMEOUT_MS = 120_000;

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
 * @property {(number | null)[]} [works] `work` of each pair of processes, where there are several
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
    const { status, stretch = () => 1 } = subject;
    const seconds = options.seconds * stretch(subjects);
    const rounds = (await loadInTurn({ status }, servers, requests, { ...options, seconds })).map(withRatio);
    return { name, title, ...summary(rounds), rounds };
  } catch (error) {
    return { name, title, error: error.message };
  }
}

/**
 * Loads servers before their first case, and measures nothing: V8 goes on compiling for some 200,000 requests, and until
 * then a read by id costs up to twice as much as later on.
 *
 * @param {import('./cases.mjs').Case} subject
 * @param {import('./stage.mjs').Stage} stage
 * @param {object} options as for `measure`, with the seconds for each server as `breakIn`
 * @param {Record<string, import('./servers.mjs').Server>} [those] that are loaded, of the stage's servers
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
 * What was measured of one case with several pairs of processes, as one result.
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

/** A case in which both are our server: they are asked for the same, with the same credentials. */
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
 * Loads our server alone on each of several stages, in alternating rounds: how its cost changes with what is in the
 * tables needs no yardstick, and a slow moment of the machine falls on all of them.
 *
 * @param {import('./cases.mjs').Case} subject
 * @param {import('./stage.mjs').Stage[]} stages their baselines check the answers
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
        const index = (round + turn) % loads.length; // who is first changes, as in `loadInTurn`
        rounds[index].push({ ours: await loads[index](round + 1, options.seconds) });
      }
    return rounds.map((ofStage) => ({ name, title, ours: figuresOf(ofStage, 'ours'), rounds: ofStage }));
  } catch (error) {
    return stages.map(() => ({ name, title, error: error.message }));
  }
}

/**
 * Warms the servers up, then loads them in turn, round by round. Who is first changes from round to round, so that none
 * gains from what another left behind.
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

/** More than a server answers in a second. */
const PART = 40_000;

/** What is sent in a round: where there are more requests than that, other ones than in the rounds before it. */
export function partOf(requests, round) {
  if (requests.length <= PART) return requests;
  const begin = (round * PART) % requests.length;
  return [...requests.slice(begin), ...requests.slice(0, begin)].slice(0, PART);
}

function withRatio({ ours, baseline }) {
  if (baseline.requestsPerSecond === 0) throw new Error('the baseline gave no answer in time');
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
    server: treeCpuSeconds(server.pid), // with its workers
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

/** What a slow server still works on when the load has ended must not burden the next one. */
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
  // Of each round by itself: what lasts longer than a round falls on both servers.
  const work = median(rounds.map((round) => workOf(round.ours, round.baseline)));
  return { ratio, work, ours, baseline };
}

/**
 * How many requests we answer in the processor time in which the other answers one.
 * @param {Figures} ours
 * @param {Figures} baseline
 * @returns {number | null} null: PostgreSQL runs elsewhere
 */
export function workOf(ours, baseline) {
  const [micros, baselineMicros] = [microsOf(ours), microsOf(baseline)];
  return micros === null || baselineMicros === null ? null : baselineMicros / micros;
}

/** The processor time of a request. @returns {number | null} null: PostgreSQL runs elsewhere */
const microsOf = ({ serverMicros, databaseMicros }) =>
  databaseMicros === null ? null : serverMicros + databaseMicros;

/** @param {(number | null)[]} values @returns {number | null} */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (sorted[0] === null) return null;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** mulberry32: the same numbers in each run, so that two runs ask for the same things. */
export function repeatableRandom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}
