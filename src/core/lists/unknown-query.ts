import { FastifyInstance, FastifyRequest } from 'fastify';

import { faultError } from '../fields/faults.js';
import { INVALID_QUERY } from '../http/errors/http.errors.js';
import { RoutePolicy } from '../http/route-policy.js';
import { readsBody } from '../http/methods.js';
import './list-parameters.decorator.js';
import { faultsOfNames, splitQuery } from './query-string.js';

/** The query parameters that a route takes. */
export interface QueryParameters {
  readonly names: ReadonlySet<string>;
  /** Those that may be there more than once. */
  readonly repeatable: ReadonlySet<string>;
}

declare module '../http/route-policy.js' {
  interface RoutePolicy {
    /**
     * The parameters of NestJS's own `@Query()` on the route; `any`: it judges them itself. Left out: it takes none.
     */
    queryParameters?: QueryParameters | 'any';
  }
}

/**
 * Answers 400 `INVALID_QUERY` where a route under `/api` is sent query parameters that it does not take, or one twice.
 * Which ones those are is known before any request: routes that judge their query themselves have no hook at all.
 */
export function refuseUnknownQueries(server: FastifyInstance): void {
  server.addHook('onRoute', (route) => {
    if (!hasKnownQuery(route.config?.policy)) return;
    // After the hooks of all routes, and the body, if there may be one.
    const stage = readsBody(route) ? 'preValidation' : 'onRequest';
    const others = ([route[stage] ?? []].flat() as unknown[]).filter((hook) => hook !== refuseQuery);
    Object.assign(route, { [stage]: [...others, refuseQuery] });
  });
}

const hasKnownQuery = ({ apiVersion, list, queryParameters }: RoutePolicy = {}): boolean =>
  apiVersion !== undefined && !list && queryParameters !== 'any';

const NONE: QueryParameters = { names: new Set(), repeatable: new Set() };

function refuseQuery(request: FastifyRequest, _reply: unknown, done: (error?: Error) => void): void {
  const start = request.url.indexOf('?');
  if (start < 0) {
    done();
    return;
  }
  const known = request.policy?.queryParameters;
  const { names, repeatable } = typeof known === 'object' ? known : NONE;
  const query = splitQuery(request.url.slice(start + 1));
  const repeated = query.repeated.filter((name) => names.has(name) && !repeatable.has(name));
  const takes = names.size > 0 ? `there are ${[...names].join(', ')}` : 'the path takes no query parameters';
  const faults = faultsOfNames({ ...query, repeated }, names, takes);
  done(faults.length > 0 ? faultError(INVALID_QUERY, faults) : undefined);
}
