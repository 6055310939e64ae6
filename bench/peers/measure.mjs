/** Measures what one question costs every server. */
import { addressed, asker, logIn } from '../client.mjs';
import { figuresOf, loadInTurn, median, repeatableRandom, workOf } from '../measure.mjs';
import { ours } from './ours.mjs';
import { checkSame } from './questions.mjs';

const LOGINS = 8;
const CHECKS = 5;

/** @typedef {import('../measure.mjs').Figures} Figures */
/**
 * @typedef {object} Answered
 * @property {string} name
 * @property {string} title
 * @property {boolean} isRead
 * @property {string} [error] why there are no figures
 * @property {Record<string, Figures>} [figures] the medians of each server, by its name
 * @property {Record<string, { throughput: number, work: number | null }>} [ratios] ours to each peer's, by its name
 * @property {Record<string, Figures>[]} [rounds]
 */

/**
 * @param {import('./questions.mjs').Question} question
 * @param {import('../stage.mjs').Stage} stage
 * @param {import('./peer.mjs').Peer[]} peers that take part
 * @param {object} options
 * @returns {Promise<Answered>}
 */
export async function measureQuestion(question, stage, peers, options) {
  const { name, title, isRead } = question;
  const { servers, client, ends, subjects, directory, postmaster } = stage;
  try {
    const asked = question.asked({ ...subjects, random: repeatableRandom(20) });
    const sides = await Promise.all(sidesOf(servers, peers).map(withTokens));
    await checkAll(question, asked, sides);
    const subject = { status: byName(sides, ({ dialect }) => (isRead ? 200 : dialect.created)) };
    const requests = byName(sides, (side) => requestsOf(side, question, asked));
    const rounds = await loadInTurn(subject, servers, requests, { ...options, directory, postmaster });
    return { name, title, isRead, ...summary(rounds, peers), rounds };
  } catch (error) {
    return { name, title, isRead, error: error.message };
  } finally {
    for (const peer of peers) await peer.removeCreated?.(client, ends.product);
  }
}

const byName = (sides, valueOf) => Object.fromEntries(sides.map((side) => [side.server.name, valueOf(side)]));

function sidesOf(servers, peers) {
  const logInOften = (peer, server) =>
    Promise.all(Array.from({ length: LOGINS }, () => peer.logIn(server))).then((tokens) =>
      tokens.map((token) => ({ authorization: `Bearer ${token}` })),
    );
  return [
    { server: servers.ours, dialect: ours, logIn: () => logIn(servers.ours) },
    ...peers.map((peer) => {
      const server = servers[peer.name];
      return { server, dialect: peer.dialect, logIn: () => logInOften(peer, server) };
    }),
  ];
}

const withTokens = async (side) => ({ ...side, credentials: await side.logIn() });

const requestsOf = ({ server, dialect, credentials }, { name }, asked) =>
  asked.map((one, index) => addressed(server, credentials[index % credentials.length], dialect[name](one)));

/** Some questions go to all servers: all must know the caller, refuse strangers, and say the same as ours. */
async function checkAll(question, asked, sides) {
  if (asked.length === 0) throw new Error('there is nothing to ask for');
  for (let index = 0; index < CHECKS; index++) {
    const one = asked[Math.floor((index * asked.length) / CHECKS)];
    const answers = [];
    for (const { server, dialect, credentials } of sides) {
      const request = dialect[question.name](one);
      const { status, body } = await asker(server, credentials[0])(request);
      const expected = question.isRead ? 200 : dialect.created;
      if (status !== expected)
        throw new Error(
          `${request.path}: ${server.name} answered ${status}, not ${expected}: ${JSON.stringify(body)?.slice(0, 300)}`,
        );
      answers.push({ name: server.name, dialect, body });
    }
    for (const answer of answers.slice(1)) checkSame(question, answers[0], answer);
  }
  await checkStrangers(question, asked[0], sides);
}

async function checkStrangers(question, one, sides) {
  for (const { server, dialect } of sides) {
    const { status } = await asker(server, {})(dialect[question.name](one));
    if (status !== 401 && status !== 403)
      throw new Error(`${server.name} answered ${status} without a token: it would do less work`);
  }
}

/**
 * @param {Record<string, Figures>[]} rounds
 * @param {import('./peer.mjs').Peer[]} peers
 * @throws {Error} where a server answered nothing in a load: nothing can be said of it
 */
export function summary(rounds, peers) {
  for (const round of rounds)
    for (const [name, { requestsPerSecond }] of Object.entries(round))
      if (requestsPerSecond === 0) throw new Error(`${name} gave no answer in time`);
  const names = ['ours', ...peers.map(({ name }) => name)];
  const figures = Object.fromEntries(names.map((name) => [name, figuresOf(rounds, name)]));
  const ratios = peers.map(({ name }) => [
    name,
    {
      throughput: median(rounds.map((round) => round.ours.requestsPerSecond / round[name].requestsPerSecond)),
      work: workOf(figures.ours, figures[name]),
    },
  ]);
  return { figures, ratios: Object.fromEntries(ratios) };
}
