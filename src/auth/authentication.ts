import { IncomingHttpHeaders } from 'node:http';

import { Injectable, Type } from '@nestjs/common';
import { FastifyRequest } from 'fastify';

import { AUTHENTICATION_REQUIRED } from '../access/authentication.errors.js';
import { ROLE_PERMISSIONS } from '../access/permissions.js';
import { Principal } from '../access/principal.js';
import { AuthSchemes, RegisteredScheme } from '../access/schemes/auth-schemes.js';
import { Config } from '../config/config.js';
import { cookieValues } from '../http/cookies.js';
import { ApiError } from '../http/errors/api-error.js';
import { answerGuards, restrictToGuards } from './auth-guards.js';
import { SchemeVerifier } from './scheme-verifier.js';
import { CurrentUsers } from './tokens/current-users.js';

/** A header or cookie, and the schemes whose credentials it may carry. */
interface Source {
  readonly read: (headers: IncomingHttpHeaders) => string | undefined;
  /** Those that tell whether a credential is theirs, and after them one that takes all others. */
  readonly verifiers: readonly SchemeVerifier[];
}

/**
 * Authenticates requests by their headers. The first credential present decides, in the order of the schemes:
 * `Authorization`, `X-API-Key`, the session cookie, unless modules add others. A bad one is refused, whatever else was sent.
 */
@Injectable()
export class Authentication {
  private readonly verifiers = new Map<RegisteredScheme, SchemeVerifier>();
  private readonly sourcesOfRoutes = new Map<readonly string[], readonly Source[]>();
  private sources: readonly Source[] = [];
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
    for (const scheme of this.schemes.of()) {
      answerGuards(scheme);
      this.verifiers.set(scheme, new SchemeVerifier(scheme, this.users));
    }
    this.sources = this.sourcesOf(this.schemes.of());
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
    for (const { read, verifiers } of names ? this.restrictedTo(names) : this.sources) {
      const credential = read(headers);
      if (credential === undefined) continue;
      for (const verifier of verifiers)
        if (verifier.accepts(credential)) return verifier.verify(request, credential);
    }
    if (isOpenToAnonymousRole && !names && this.anonymous) return this.anonymous;
    throw new ApiError(AUTHENTICATION_REQUIRED);
  }

  private restrictedTo(names: readonly string[]): readonly Source[] {
    let sources = this.sourcesOfRoutes.get(names);
    if (!sources) this.sourcesOfRoutes.set(names, (sources = this.sourcesOf(this.schemes.of(names))));
    return sources;
  }

  private sourcesOf(schemes: readonly RegisteredScheme[]): Source[] {
    const sources = new Map<string, SchemeVerifier[]>();
    const reads = new Map<string, Source['read']>();
    for (const scheme of schemes) {
      const { header, cookie } = scheme;
      const source = cookie === undefined ? header.toLowerCase() : `cookie ${cookie}`;
      const read = cookie === undefined ? readHeader(source) : readCookie(cookie);
      reads.set(source, read);
      sources.set(source, [...(sources.get(source) ?? []), this.verifiers.get(scheme) as SchemeVerifier]);
    }
    return [...sources].map(([source, verifiers]) => ({
      read: reads.get(source) as Source['read'],
      verifiers: verifiers.sort((a, b) => Number(a.isFallback) - Number(b.isFallback)),
    }));
  }
}

/** A header that is repeated, where `node:http` keeps an array, is taken as one value that no scheme finds good. */
const readHeader =
  (name: string): Source['read'] =>
  (headers) => {
    const value = headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  };

const readCookie =
  (name: string): Source['read'] =>
  ({ cookie }) =>
    cookie === undefined ? undefined : cookieValues(cookie, name)[0];
