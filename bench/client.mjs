/** Requests to the two servers outside of the load: logins, the preparation of cases, checks of the responses. */
import { randomUUID } from 'node:crypto';
import { UNIQUE } from './load.mjs';
import { ADMIN } from './servers.mjs';

const LOGINS = 8;
const CHECKS = 5;
/** The maximum number of places of a walk. In a large table, only its first rows are read. */
const MOST_PLACES = 5000;

/**
 * Logs in several users and returns their headers, so that a server is measured with more than one token, and with more
 * than the share of the connections that a single caller gets.
 * @param {import('./servers.mjs').Server} server
 * @returns {Promise<{ authorization: string }[]>}
 */
export async function logIn(server) {
  const first = await tokenOf(server, ADMIN);
  const logins = [first];
  while (logins.length < LOGINS) {
    const user = { ...ADMIN, email: `bench-${logins.length}@example.com` };
    const body = JSON.stringify({ ...user, role: 'admin' });
    const headers = { 'content-type': 'application/json' };
    const made = await asker(server, first)({ method: 'POST', path: '/users', headers, body });
    // 409: an earlier run has created the user.
    if (made.status !== 201 && made.status !== 409)
      throw new Error(`creating the user failed with ${made.status}: ${excerpt(made.body)}`);
    logins.push(await tokenOf(server, user));
  }
  return logins;
}

async function tokenOf(server, user) {
  const headers = { 'content-type': 'application/json' };
  const request = { method: 'POST', path: '/login', headers, body: JSON.stringify(user) };
  const { status, body } = await asker(server, {})(request);
  if (status !== 200) throw new Error(`the login failed with ${status}: ${excerpt(body)}`);
  return { authorization: `Bearer ${body.accessToken}` };
}

/**
 * Returns a request with the URL and the headers for a server.
 * @param {import('./servers.mjs').Server} server
 * @param {Record<string, string>} credentials
 * @param {import('./load.mjs').Request} request
 */
export const addressed = ({ prefix }, credentials, request) => ({
  ...request,
  path: prefix + request.path,
  headers: { ...credentials, ...request.headers },
});

/**
 * @param {import('./servers.mjs').Server} server
 * @param {Record<string, string>} credentials
 * @returns {import('./cases.mjs').Ask}
 */
export const asker = (server, credentials) => async (request) => {
  const { path, headers: given, ...init } = addressed(server, credentials, request);
  const headers = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, value === UNIQUE ? randomUUID() : value]),
  );
  const answer = await fetch(server.url + path, { ...init, headers }).catch((error) => {
    throw new Error(
      `${server.name} does not answer: ${server.lastWords() ?? error.cause?.message ?? error.message}`,
    );
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: text === '' ? null : JSON.parse(text) };
};

/**
 * Sends some pairs of a case to both servers. Throws if a status is not the expected one, or if the responses differ.
 * @param {import('./cases.mjs').Case} subject
 * @param {Awaited<ReturnType<import('./cases.mjs').Case['pairs']>>} pairs
 * @param {{ ours: import('./cases.mjs').Ask, baseline: import('./cases.mjs').Ask }} servers
 */
export async function check(subject, pairs, servers) {
  if (pairs.length === 0) throw new Error('the case has no requests');
  for (let index = 0; index < CHECKS; index++) {
    const pair = pairs[Math.floor((index * pairs.length) / CHECKS)];
    const ours = await servers.ours(pair.ours);
    const baseline = await servers.baseline(pair.baseline);
    for (const [name, { status, body }] of Object.entries({ ours, baseline })) {
      if (status === subject.status[name]) continue;
      throw new Error(
        `${pair[name].path}: ${name} answered ${status}, not ${subject.status[name]}: ${excerpt(body)}`,
      );
    }
    if (subject.isSame(ours, baseline)) continue;
    throw new Error(
      `${pair.ours.path}: the answers differ\n    ours     ${excerpt(ours.body)}\n    baseline ${excerpt(baseline.body)}`,
    );
  }
}

const excerpt = (body) => JSON.stringify(body)?.slice(0, 300);

/**
 * Reads a list by cursor, and returns the start of each page.
 * @param {import('./cases.mjs').Ask} ask
 * @param {string} path
 * @returns {Promise<{ cursor: string, item: any }[]>} the cursor, and the item before it
 */
export async function walk(ask, path) {
  const places = [];
  for (let cursor = '', page; places.length < MOST_PLACES; places.push({ cursor, item: page.data.at(-1) })) {
    ({ body: page } = await ask({ path: `${path}?cursor=${encodeURIComponent(cursor)}` }));
    // Omits the last page, which may be short.
    if (!page.pagination?.hasMore) return places.slice(0, -1);
    cursor = page.pagination.nextCursor;
  }
  return places;
}

/** @template T, R @param {T[]} list @param {(one: T) => Promise<R>} work @returns {Promise<R[]>} */
export async function inParallel(list, work) {
  const results = [];
  const workers = Array.from({ length: 32 }, async (_, first) => {
    for (let index = first; index < list.length; index += 32) results[index] = await work(list[index]);
  });
  await Promise.all(workers);
  return results;
}
