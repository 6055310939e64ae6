import { FastifyRequest } from 'fastify';
import { Strategy } from 'passport';

import { Principal } from '../access/principal.js';
import { RegisteredScheme } from '../access/schemes/auth-schemes.js';
import { CredentialSource } from './credential-source.js';
import { CurrentUsers } from './tokens/current-users.js';

/** Takes any credential, as that of the user whose id it begins with, for a minute. */
class NumberedStrategy extends Strategy {
  readonly asked: string[] = [];

  override authenticate(request: unknown): void {
    const { authorization = '' } = (request as FastifyRequest).headers;
    this.asked.push(authorization);
    const userId = parseInt(authorization, 10);
    (this as unknown as { success: (user: unknown) => void }).success({
      principal: { kind: 'user', userId },
      expiresAt: Date.now() + 60_000,
    });
  }
}

const END = ' of an end that all of this issuer have';
const ofUser = (userId: number): string => `${userId}${END}`;
const requestWith = (authorization: string): FastifyRequest =>
  ({ method: 'GET', headers: { authorization } }) as FastifyRequest;

function sourceOf(strategy: Strategy): { source: CredentialSource; userOf: (credential: string) => unknown } {
  const scheme = { strategy, header: 'Authorization', errors: [] } as unknown as RegisteredScheme;
  // Reads ask for no user.
  const source = new CredentialSource([scheme], {} as CurrentUsers);
  const userOf = async (credential: string): Promise<unknown> =>
    ((await source.verify(requestWith(credential), credential)) as Principal).userId;
  return { source, userOf };
}

test('credentials that end alike are told apart, and each is verified once', async () => {
  const strategy = new NumberedStrategy();
  const { userOf } = sourceOf(strategy);
  for (let round = 0; round < 3; round++)
    for (const userId of [1, 2, 3]) expect(await userOf(ofUser(userId))).toBe(userId);
  expect(strategy.asked).toHaveLength(3);
});

test('the end of a credential is a credential of its own', async () => {
  const strategy = new NumberedStrategy();
  const { userOf } = sourceOf(strategy);
  for (const userId of [1, 2]) await userOf(ofUser(userId));
  for (let length = 1; length <= END.length; length++) {
    const end = END.slice(-length);
    expect(await userOf(end)).toBeNaN();
    expect(strategy.asked.at(-1)).toBe(end);
  }
  expect(await userOf(ofUser(1))).toBe(1);
});
