import { IncomingMessage } from 'node:http';

import { FastifyInstance } from 'fastify';

import { ApiError } from '#src/common/errors/api-error.js';
import { API_VERSION_RETIRED, NOT_ACCEPTABLE } from '#src/common/errors/http.errors.js';
import { Config } from '#src/config/config.js';

import { createNegotiator } from './negotiate.js';

/** The versions of the API that are served, the default one first. */
export const VERSIONS = [1, 2] as const;

const negotiate = createNegotiator(VERSIONS);
const IS_V1 = /^\/api\/v1(?:[/?]|$)/;
const IS_VERSIONED = /^\/api\/v\d+(?:[/?]|$)/;

/**
 * Where a request for a path without a version goes: to the version that `Accept` asks for. Where it asks for none
 * that is served, the default one's routes refuse it with 406.
 */
export function routeByVersion(request: IncomingMessage): string {
  const url = request.url ?? '';
  if (!url.startsWith('/api/') || IS_VERSIONED.test(url)) return url;
  const version = negotiate(request.headers.accept, null)?.version ?? VERSIONS[0];
  return `/api/v${version}${url.slice('/api'.length)}`;
}

/** Refuses what `Accept` does not take, announces the retirement of v1 (RFC 9745, RFC 8594), and carries it out. */
export function registerVersions(server: FastifyInstance, { v1 }: Pick<Config, 'v1'>, now = Date.now): void {
  server.addHook('onRequest', (request, reply, done) => {
    const version = request.policy?.apiVersion ?? (request.is404 && IS_V1.test(request.url) ? 1 : undefined);
    if (version === undefined) {
      done();
      return;
    }
    if (version === 1 && v1.deprecatedAt) {
      void reply.headers(deprecationHeaders(request.url, v1.deprecatedAt, v1.sunsetAt));
      if (v1.sunsetAt && now() >= v1.sunsetAt.getTime()) {
        done(new ApiError(API_VERSION_RETIRED, `v1 was retired on ${v1.sunsetAt.toISOString()}; take v2.`));
        return;
      }
    }
    const { accept } = request.headers;
    const isAcceptable = request.is404 || accept === undefined || negotiate(accept, version) !== null;
    done(isAcceptable ? undefined : new ApiError(NOT_ACCEPTABLE, notAcceptable(version)));
  });
}

function deprecationHeaders(
  url: string,
  deprecatedAt: Date,
  sunsetAt: Date | undefined,
): Record<string, string> {
  return {
    deprecation: `@${Math.floor(deprecatedAt.getTime() / 1000)}`,
    link: `<${url.replace('/api/v1', '/api/v2')}>; rel="successor-version"`,
    ...(sunsetAt && { sunset: sunsetAt.toUTCString() }),
  };
}

const notAcceptable = (version: number): string =>
  `Accept takes neither application/json nor application/vnd.plinth.v${version}+json.`;
