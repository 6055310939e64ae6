import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ThrottlerStorage } from '@nestjs/throttler';

import { registerAccess } from '../access/access.hook.js';
import { registerCallerShares } from '../access/caller-shares.hook.js';
import { registerRequestContext } from '../access/request-context.js';
import { registerReplicaReads } from '../access/replica-reads.hook.js';
import { AuthSchemes } from '../access/schemes/auth-schemes.js';
import { Authentication } from '../access/schemes/authentication.js';
import { registerSameOrigin } from '../access/same-origin.hook.js';
import { AccountsRepository } from '../accounts/accounts.repository.js';
import { Config } from '../config/config.js';
import { Database } from '../database/database.js';
import { GrantsRepository } from '../grants/grants.repository.js';
import { registerJsonBody } from '../http/body/json-body.js';
import { registerCaching } from '../http/caching/cache-policy.js';
import { registerRequestTiming } from '../http/request-timing.js';
import { ApplicationAdapter } from './application.adapter.js';
import { registerHeaders } from '../http/headers.js';
import { registerForwardedFor, registerTargetChecks } from '../http/target.js';
import { API_VERSIONS, ApiVersions } from '../http/negotiation/api-versions.js';
import { registerUnmatchedRoutes } from '../http/unmatched-routes.js';
import { registerNegotiation, registerVersions } from '../http/negotiation/versions.js';
import { RateLimit } from '../http/rate-limit/rate-limit.js';
import { RoutePolicy } from '../routes/route-policy.js';
import { registerPolicies } from '../routes/policy.hook.js';
import { LIMITS } from '../http/server/connections.js';
import { rejectUnknownParameters } from '../lists/query-string.js';
import { Lifecycle, registerAvailability } from '../operations/availability.js';
import { Overload } from '../operations/overload.js';
import { registerWrappedRoutes } from './wrapped-routes.js';

/** Registers the hooks that run before a handler, in the order of "The order of checks" in `docs/architecture.md`. */
export async function registerPipeline(
  nest: NestFastifyApplication,
  config: Config,
  overload: Overload,
): Promise<void> {
  const server = nest.getHttpAdapter().getInstance();
  const schemes = nest.get(AuthSchemes);
  const authentication = new Authentication(schemes, nest.get(AccountsRepository), config);
  const grants = nest.get(GrantsRepository);
  const rateLimit = new RateLimit(
    config.rateLimit,
    nest.get<ThrottlerStorage>(ThrottlerStorage, { strict: false }),
  );
  registerRequestTiming(server);
  registerForwardedFor(server);
  const versions = nest.get<ApiVersions>(API_VERSIONS);
  registerPolicies(server, versions);
  registerRequestContext(server);
  // `Cache-Control` and `WWW-Authenticate` depend on the authentication schemes.
  server.decorate('hasCredentials', (headers) => schemes.hasCredentials(headers));
  server.decorate('challenges', (error) => schemes.challenges(error));
  registerWrappedRoutes(server);
  registerCaching(server);
  const bodyLimit = ({ access }: RoutePolicy): number | undefined =>
    access?.isPublic ? LIMITS.publicBodyBytes : undefined;
  registerJsonBody(server, bodyLimit);
  await registerHeaders(server, config, schemes.credentialHeaders);
  overload.register(server);
  registerAvailability(server, config, nest.get(Lifecycle));
  rateLimit.registerAddresses(server);
  registerTargetChecks(server, rateLimit.rejectCounted);
  registerVersions(server, config, versions, rateLimit.rejectCounted);
  // Middleware of the application runs before guards, as in NestJS, and also for paths without a route.
  await (nest.getHttpAdapter() as ApplicationAdapter).initMiddleware();
  authentication.register(server, rateLimit.rejectCounted);
  rateLimit.registerCallers(server);
  registerSameOrigin(server, config, schemes);
  registerAccess(server, (principal) => grants.findByPrincipal(principal), config);
  registerReplicaReads(server, nest.get(Database).replicas);
  registerCallerShares(server);
  registerNegotiation(server);
  rejectUnknownParameters(server);
  registerUnmatchedRoutes(server);
}
