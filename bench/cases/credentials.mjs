/** What requests carry in place of a Bearer token: eight of each, so that a server is not measured with one alone. */
import { BENCH_KEY } from '../database.mjs';
import { ADMIN } from '../servers.mjs';
import { post } from './requests.mjs';

/** @typedef {NonNullable<import('../cases.mjs').Case['credentials']>} Credentials */

const COUNT = 8;

async function eight(ask, request) {
  const answers = [];
  while (answers.length < COUNT) {
    const answer = await ask(request.ours);
    if (answer.status >= 300) throw new Error(`${request.ours.path} answered ${answer.status}`);
    answers.push(answer);
  }
  return answers;
}

/** @type {Credentials} */
export async function apiKeys({ ours }) {
  const answers = await eight(ours, post('/api-keys', { name: BENCH_KEY, permissions: ['read'] }));
  return answers.map(({ body }) => ({ 'x-api-key': body.key }));
}

/** @type {Credentials} */
export async function sessions({ ours }) {
  const answers = await eight(ours, post('/login', { ...ADMIN, scheme: 'session' }));
  return answers.map(({ headers }) => ({ cookie: headers.get('set-cookie').split(';', 1)[0] }));
}

/** One pair of e-mail and password: there is one user. @type {Credentials} */
export async function basic() {
  const pair = Buffer.from(`${ADMIN.email}:${ADMIN.password}`).toString('base64');
  return [{ authorization: `Basic ${pair}` }];
}
