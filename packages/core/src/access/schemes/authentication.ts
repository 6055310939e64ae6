import { hash } from 'node:crypto';

import { FastifyInstance, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { StrategyCreatedStatic } from 'passport';

import { Config } from '../../config/config.js';
import { ANONYMOUS_ROLES, ATTRIBUTES, Attributes, permissionsOf, Role } from '../../config/define-access.js';
import { ConfigError } from '../../config/read-config.js';
import { setCookie } from '../../http/cookies.js';
import { ApiError } from '../../http/errors/api-error.js';
import { ErrorType } from '../../http/errors/define-errors.js';
import { isSafeMethod } from '../../http/methods.js';
import { RejectCounted } from '../../http/rate-limit/rate-limit.js';
import { AUTHENTICATION_REQUIRED, INVALID_TOKEN } from '../access.errors.js';
import { Principal } from '../principal.js';
import { noAttributes } from '../row-limits.js';
import { AuthSchemes, RegisteredScheme } from './auth-schemes.js';

const CACHED_PRINCIPALS = 10_000;

/**
 * Authenticates each request by the first scheme whose credential is present. If the scheme returns a principal with
 * `expiresAt`, the principal is cached until that time. Otherwise, the credential is verified on every request.
 */
export class Authentication {
  private readonly verifiedPrincipals = new LRUCache<string, Principal>({ max: CACHED_PRINCIPALS });
  private readonly anonymousCaller: Principal | undefined;

  constructor(
    private readonly schemes: AuthSchemes,
    private readonly users: {
      exists(id: number): Promise<boolean>;
      findCurrent(id: number): Promise<{ role: Role; attributes: Attributes } | undefined>;
    },
    { anonymousRole }: Pick<Config, 'anonymousRole'>,
  ) {
    if (anonymousRole !== undefined) this.anonymousCaller = anonymousPrincipal(anonymousRole);
  }

  /**
   * Authenticates each request before its body is read.
   * @param reject sends the response for missing or invalid credentials
   */
  register(server: FastifyInstance, reject: RejectCounted): void {
    server.decorateRequest('user');
    server.addHook('onRequest', async (request, reply) => {
      const access = request.policy?.access;
      if (!access || (access.isPublic && !access.authenticatesCaller)) return;
      try {
        const isOpen = !access.isPublic && access.anonymous === true;
        const principal = await this.authenticate(request, isOpen);
        request.context.principal = principal;
        request.user = principal;
      } catch (error) {
        const isMissing = error instanceof ApiError && error.type === AUTHENTICATION_REQUIRED;
        if (!access.isPublic || !isMissing) await reject(request, reply, error);
      }
    });
  }

  /** @throws ApiError if the credential is missing or invalid, or if the request is a write and the user was deleted */
  private async authenticate(request: FastifyRequest, isOpenToAnonymousRole: boolean): Promise<Principal> {
    const found = this.schemes.find(request.headers);
    if (!found) {
      if (isOpenToAnonymousRole && this.anonymousCaller) return this.anonymousCaller;
      throw new ApiError(AUTHENTICATION_REQUIRED);
    }
    const identify = async (): Promise<Principal | undefined> =>
      this.withAttributes(await this.verify(found.scheme, found.credential, request), found.scheme);
    // If the user has changed between the two statements, only a further attempt finds out what is current.
    const principal = (await identify()) ?? (await identify());
    if (!principal) throw invalidCredentialError(found.scheme.errors[0], found.scheme.cookie);
    // A credential with an expiry, such as an access token, may outlive its user. Check before a write that the user
    // exists.
    const mayOutlive = principal.expiresAt !== undefined && principal.userId !== null;
    if (mayOutlive && !isSafeMethod(request.method) && !(await this.users.exists(principal.userId)))
      throw new ApiError(INVALID_TOKEN);
    return principal;
  }

  /**
   * Looks up the attributes of the user if the credential does not contain them.
   * @returns `undefined` if the user has another role by now. With a role of before a change and attributes of after it, the
   *   caller would see rows that have never concerned them
   */
  private async withAttributes(
    principal: Principal,
    { errors, cookie }: RegisteredScheme,
  ): Promise<Principal | undefined> {
    if (ATTRIBUTES.length === 0 || principal.attributes) return principal;
    const { userId, role } = principal;
    if (userId === null) return { ...principal, attributes: noAttributes() };
    const user = await this.users.findCurrent(userId);
    if (!user) throw invalidCredentialError(errors[0], cookie);
    return user.role === role ? { ...principal, attributes: user.attributes } : undefined;
  }

  private async verify(
    { name, cookie, strategy, errors }: RegisteredScheme,
    credential: string,
    request: FastifyRequest,
  ): Promise<Principal> {
    const digest = hash('sha256', `${name} ${credential}`, 'base64');
    const cached = this.verifiedPrincipals.get(digest);
    if (cached?.expiresAt !== undefined && cached.expiresAt > Date.now()) return cached;
    const { principal, reason } = await runStrategy(strategy, request);
    if (!principal) throw invalidCredentialError(strategy.errorTypeFor?.(reason) ?? errors[0], cookie);
    if (principal.expiresAt !== undefined) this.verifiedPrincipals.set(digest, principal);
    return principal;
  }
}

/**
 * Returns the error for an invalid credential. If the credential was a cookie, the response clears the cookie, because
 * scripts cannot remove an `HttpOnly` cookie.
 */
function invalidCredentialError(type: ErrorType, cookie: string | undefined): ApiError {
  if (cookie === undefined || type.status !== 401) return new ApiError(type);
  const cleared = setCookie(cookie, '', { sameSite: 'Lax', maxAgeSeconds: 0 });
  return new ApiError(type, type.summary, { headers: { 'set-cookie': cleared } });
}

/**
 * Returns the principal of requests without credentials.
 * @param name the value of `ANONYMOUS_ROLE`
 * @throws ConfigError if the role is not one of `anonymousRoles`
 */
export function anonymousPrincipal(name: string): Principal {
  const role = ANONYMOUS_ROLES.find((known) => known === name);
  const choices = ANONYMOUS_ROLES.join(', ');
  if (!role)
    throw new ConfigError([`ANONYMOUS_ROLE: must be one of ${choices} (got ${JSON.stringify(name)})`]);
  const permissions = permissionsOf(role);
  const nobody = { userId: null, keyId: null, loginId: null };
  const attributes = ATTRIBUTES.length > 0 && { attributes: noAttributes() };
  return { kind: 'anonymous', ...nobody, role, permissions, scheme: 'anonymous', ...attributes };
}

type StrategyResult = { readonly principal?: Principal | null; readonly reason?: unknown };

/**
 * Runs a Passport strategy without Express. A strategy reports its outcome by calling `success()`, `fail()`, `pass()` or
 * `error()` on itself, as Passport documents. This function provides these methods.
 */
export function runStrategy(strategy: object, request: FastifyRequest): Promise<StrategyResult> {
  return new Promise((resolve, reject) => {
    // As Passport does, create an object for each request, with the strategy as its prototype. Concurrent requests then
    // do not share the methods that are set below.
    const attempt = Object.create(strategy) as StrategyCreatedStatic & {
      authenticate(from: FastifyRequest): void | Promise<void>;
    };
    attempt.success = (user) => resolve({ principal: user as Principal });
    attempt.fail = (reason?: unknown) => resolve({ reason });
    attempt.pass = () => resolve({});
    attempt.error = reject;
    // If `authenticate()` throws, the outer promise rejects. If `authenticate()` is asynchronous, it may reject later.
    void Promise.resolve(attempt.authenticate(request)).catch(reject);
  });
}
