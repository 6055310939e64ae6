import { FastifyInstance } from 'fastify';

import { registerAccess } from '../access/access.hook.js';
import { registerReplicaReads } from '../access/replica-reads.hook.js';
import { AuthSchemes } from '../access/schemes/auth-schemes.js';
import { registerAuthentication } from '../access/schemes/authentication.hook.js';
import { Authentication } from '../access/schemes/authentication.js';
import { registerSameOrigin } from '../access/schemes/same-origin.js';
import { Config } from '../config/config.js';
import { Replicas } from '../database/replicas.js';
import { GrantsRepository } from '../grants/grants.repository.js';
import { registerJsonBody } from '../http/body/json-body.js';
import { registerCaching } from '../http/caching/cache-policy.js';
import { registerExchanges } from '../http/exchange.js';
import { registerHeaders } from '../http/headers.js';
import { registerTargetChecks } from '../http/target.js';
import { registerUnmatched } from '../http/methods.js';
import { registerNegotiation, registerVersions } from '../http/negotiation/versions.js';
import { CounterStorage } from '../http/rate-limit/counter-storage.js';
import { RateLimit, Refuse } from '../http/rate-limit/rate-limit.js';
import { registerPolicies, RoutePolicy } from '../http/route-policy.js';
import { registerForwardedFor } from '../http/server/forwarded-for.js';
import { LIMITS } from '../http/server/server-options.js';
import { refuseUnknownQueries } from '../lists/query-string.js';
import { Lifecycle, registerAvailability } from '../operations/availability.js';
import { Overload } from '../operations/overload.js';

/** The parts of the service that hooks need, besides the configuration. */
export interface PipelineParts {
  readonly overload: Overload;
  readonly lifecycle: Lifecycle;
  readonly schemes: AuthSchemes;
  readonly authentication: Authentication;
  readonly grants: GrantsRepository;
  readonly counters: CounterStorage;
  readonly replicas: Replicas | undefined;
}

/**
 * Registers the hooks that every request passes before its body is read, in their order. Each step comes before the
 * next costs anything: see "The order of checks" in `docs/architecture.md`.
 */
export async function registerPipeline(
  server: FastifyInstance,
  config: Config,
  parts: PipelineParts,
): Promise<void> {
  const rateLimit = new RateLimit(config.rateLimit, parts.counters);
  const refuse: Refuse = (request, reply, error, done) => {
    rateLimit.charge(request, reply).then((exceeded) => {
      done(exceeded ?? error);
    }, done);
  };
  registerExchanges(server);
  registerForwardedFor(server, config);
  registerPolicies(server);
  announceSchemes(server, parts);
  registerCaching(server);
  refuseUnknownQueries(server);
  const bodyLimit = ({ access }: RoutePolicy): number | undefined =>
    access?.isPublic ? LIMITS.publicBodyBytes : undefined;
  registerJsonBody(server, bodyLimit);
  await registerHeaders(server, config, parts.schemes.credentialHeaders);
  parts.overload.register(server);
  registerAvailability(server, config, parts.lifecycle);
  rateLimit.registerAddresses(server);
  registerTargetChecks(server, refuse);
  registerVersions(server, config, refuse);
  registerAuthentication(server, parts.authentication, refuse);
  rateLimit.registerCallers(server);
  registerSameOrigin(server, config, parts.schemes);
  registerAccess(server, (principal) => parts.grants.findOf(principal));
  registerReplicaReads(server, parts.replicas);
  registerNegotiation(server);
  registerUnmatched(server);
}

/** Lets headers follow from the schemes: `Cache-Control` and challenges. */
function announceSchemes(server: FastifyInstance, { schemes }: PipelineParts): void {
  const names = schemes.credentialHeaders.map((name) => name.toLowerCase());
  server.decorate('credentialHeaders', names);
  server.decorate('challenges', (error) => schemes.challenges(error));
}
