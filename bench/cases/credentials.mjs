/** Credentials instead of Bearer tokens. There are eight of each kind, so that a server cannot profit from caching one. */
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

/** One e-mail and password, because there is only one such user. @type {Credentials} */
export async function basic() {
  const pair = Buffer.from(`${ADMIN.email}:${ADMIN.password}`).toString('base64');
  return [{ authorization: `Basic ${pair}` }];
}
