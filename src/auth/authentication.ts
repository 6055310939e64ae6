import { Injectable, Type } from '@nestjs/common';
import { FastifyRequest } from 'fastify';

import { AUTHENTICATION_REQUIRED } from '../access/authentication.errors.js';
import { ROLE_PERMISSIONS } from '../access/permissions.js';
import { Principal } from '../access/principal.js';
import { AuthSchemes, RegisteredScheme } from '../access/schemes/auth-schemes.js';
import { Config } from '../config/config.js';
import { ApiError } from '../http/errors/api-error.js';
import { answerGuards, restrictToGuards } from './auth-guards.js';
import { CredentialSource } from './credential-source.js';
import { CurrentUsers } from './tokens/current-users.js';

/**
 * Authenticates requests by their headers. The first credential present decides, in the order of the schemes:
 * `Authorization`, `X-API-Key`, the session cookie, and those of modules between them. A bad one is refused, whatever
 * else was sent.
 */
@Injectable()
export class Authentication {
  private sources: readonly CredentialSource[] = [];
  private readonly sourcesOfRoutes = new Map<readonly string[], readonly CredentialSource[]>();
  private readonly anonymous: Principal | undefined;

  constructor(
    private readonly schemes: AuthSchemes,
    private readonly users: CurrentUsers,
    { anonymousRole }: Config,
  ) {
    this.anonymous = anonymousRole && {
      kind: 'anonymous',
      userId: null,
      keyId: null,
      loginId: null,
      role: anonymousRole,
      permissions: ROLE_PERMISSIONS[anonymousRole],
      scheme: 'anonymous',
    };
  }

  /**
   * Finds the schemes of the application, and the guards of controllers that restrict routes to some of them. To be
   * called when the modules are loaded, before routes are registered.
   *
   * @throws Error for schemes and guards that contradict each other
   */
  async prepare(controllers: Iterable<Type>): Promise<void> {
    this.schemes.discover();
    this.sources = this.sourcesOf(this.schemes.of());
    for (const scheme of this.schemes.of()) answerGuards(scheme);
    await restrictToGuards(controllers, this.schemes);
  }

  /**
   * The principal of a request, without a promise where it is in memory.
   *
   * @param isOpenToAnonymousRole whether the route takes callers without credentials under `ANONYMOUS_ROLE`
   * @throws ApiError 401 for missing or bad credentials
   */
  principalOf(request: FastifyRequest, isOpenToAnonymousRole: boolean): Principal | Promise<Principal> {
    const names = request.policy?.schemes;
    const { headers } = request;
    for (const source of names ? this.restrictedTo(names) : this.sources) {
      const credential = source.read(headers);
      const principal = credential === undefined ? undefined : source.verify(request, credential);
      if (principal) return principal;
    }
    if (isOpenToAnonymousRole && !names && this.anonymous) return this.anonymous;
    throw new ApiError(AUTHENTICATION_REQUIRED);
  }

  private restrictedTo(names: readonly string[]): readonly CredentialSource[] {
    let sources = this.sourcesOfRoutes.get(names);
    if (!sources) this.sourcesOfRoutes.set(names, (sources = this.sourcesOf(this.schemes.of(names))));
    return sources;
  }

  private sourcesOf(schemes: readonly RegisteredScheme[]): CredentialSource[] {
    const groups = new Map<string, RegisteredScheme[]>();
    for (const scheme of schemes) {
      const source = scheme.cookie === undefined ? scheme.header.toLowerCase() : `cookie ${scheme.cookie}`;
      groups.set(source, [...(groups.get(source) ?? []), scheme]);
    }
    return [...groups.values()].map((group) => new CredentialSource(group, this.users));
  }
}
