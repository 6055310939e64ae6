import { FastifyRequest } from 'fastify';
import { Strategy } from 'passport';

import { defineAccess } from '../../config/define-access.js';
import { anonymousPrincipal, runStrategy } from './authentication.js';

defineAccess({
  permissions: ['read', 'manage_users'],
  roles: { admin: { permissions: ['manage_users'] }, viewer: { permissions: ['read'] } },
  administratorRole: 'admin',
  anonymousRoles: ['viewer'],
  grantedResources: [],
});

/** The methods that Passport adds to a strategy. */
interface Actions {
  success(user: unknown, info?: unknown): void;
  fail(challenge?: unknown, status?: number): void;
  pass(): void;
  error(error: unknown): void;
  redirect(url: string): void;
}

type Act = (actions: Actions, request: FastifyRequest) => void | Promise<void>;

function strategyThat(authenticate: Act): Strategy {
  class TestStrategy extends Strategy {
    override authenticate(request: unknown): void | Promise<void> {
      return authenticate(this, request as FastifyRequest);
    }
  }
  return new TestStrategy();
}

const request = { headers: { authorization: 'Test 7' } } as FastifyRequest;
const reason = new Error('expired');

test.each<[string, (actions: Actions) => void, object]>([
  ['the user of success()', (actions) => actions.success({ id: 7 }), { principal: { id: 7 } }],
  ['the error of fail(error)', (actions) => actions.fail(reason), { reason }],
  ['the challenge of fail(challenge)', (actions) => actions.fail('Basic', 401), { reason: 'Basic' }],
  ['no reason after fail() without an argument', (actions) => actions.fail(), {}],
  ['no reason after pass()', (actions) => actions.pass(), {}],
])('runStrategy() reports %s', async (_name, act, outcome) => {
  expect(await runStrategy(strategyThat(act), request)).toEqual(outcome);
});

test('runStrategy() waits for a strategy that succeeds later', async () => {
  const strategy = strategyThat((actions) => {
    setImmediate(() => actions.success('Ada'));
  });
  expect(await runStrategy(strategy, request)).toEqual({ principal: 'Ada' });
});

test.each<[string, Act]>([
  ['the reason of a rejected promise', () => Promise.reject(reason)],
  ['the argument of error()', (actions) => actions.error(reason)],
  [
    'the exception of authenticate()',
    () => {
      throw reason;
    },
  ],
])('runStrategy() throws %s', async (_name, act) => {
  await expect(runStrategy(strategyThat(act), request)).rejects.toBe(reason);
});

test('runStrategy() ignores what a strategy calls after its first outcome', async () => {
  const strategy = strategyThat((actions) => {
    actions.fail(reason);
    actions.success('Mallory');
  });
  expect(await runStrategy(strategy, request)).toEqual({ reason });
});

test('runStrategy() keeps the outcomes of concurrent requests apart', async () => {
  const strategy = strategyThat((actions, { headers }) => {
    setTimeout(() => actions.success(headers.authorization), headers.authorization === 'slow' ? 20 : 1);
  });
  const run = (authorization: string): Promise<unknown> =>
    runStrategy(strategy, { headers: { authorization } } as FastifyRequest);
  expect(await Promise.all([run('slow'), run('fast')])).toEqual([
    { principal: 'slow' },
    { principal: 'fast' },
  ]);
  expect(Object.keys(strategy)).not.toContain('success');
});

test('refuses an ANONYMOUS_ROLE that callers without credentials may not have', () => {
  expect(() => anonymousPrincipal('admin')).toThrow('ANONYMOUS_ROLE: must be one of viewer (got "admin")');
});
