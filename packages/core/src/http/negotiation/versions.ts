import { IncomingMessage } from 'node:http';

import { FastifyInstance } from 'fastify';

import { Config } from '../../config/config.js';
import { versionsOf } from '../../nest/route-metadata.js';
import { ApiError } from '../errors/api-error.js';
import { HttpErrors } from '../errors/http.errors.js';
import { setLink } from '../headers.js';
import { RejectCounted } from '../rate-limit/rate-limit.js';
import { chooseMediaType, JSON_TYPE, vendorMediaType } from './media-types.js';
import { offeredTypes, negotiateType } from './produces.decorator.js';

declare module 'fastify' {
  interface FastifyInstance {
    /** The versions of the API that controllers name, the default one first. */
    versions: readonly number[];
  }
}

const V1_PATH = /^\/api\/v1(?:[/?]|$)/;
const VERSIONED_PATH = /^\/api\/v\d+(?:[/?]|$)/;

export function declaredVersions(controllers: readonly object[]): number[] {
  return [...new Set(controllers.flatMap(versionsOf).map(Number))].sort((a, b) => a - b);
}

/** Adds a version to a path without one: the version that `Accept` asks for, or else the default version. */
export function versionedUrl(request: IncomingMessage, versions: readonly number[]): string {
  const url = request.url ?? '';
  if (!url.startsWith('/api/') || VERSIONED_PATH.test(url)) return url;
  // If a client accepts several types equally, a vendor type wins over JSON, and the newest version over others.
  const offered = [...versions.map(vendorMediaType).reverse(), JSON_TYPE];
  const type = chooseMediaType(request.headers.accept, offered);
  const version = versions.find((candidate) => vendorMediaType(candidate) === type) ?? versions[0] ?? 1;
  return `/api/v${version}${url.slice('/api'.length)}`;
}

/** Announces the retirement of v1 (RFC 9745, RFC 8594), and carries it out. */
export function registerVersions(
  server: FastifyInstance,
  { v1 }: Pick<Config, 'v1'>,
  refuse: RejectCounted,
): void {
  const { deprecatedAt, sunsetAt } = v1;
  if (!deprecatedAt) return;
  server.addHook('onRequest', (request, reply, done) => {
    const isV1 = request.policy ? request.policy.apiVersion === 1 : V1_PATH.test(request.url);
    if (isV1) {
      // Some clients send these characters unescaped, and they would end the link (RFC 8288 §3).
      const successor = request.url.replace('/api/v1', '/api/v2').replaceAll(/[<>"]/g, encodeURIComponent);
      void reply.headers({
        deprecation: `@${Math.floor(deprecatedAt.getTime() / 1000)}`,
        ...(sunsetAt && { sunset: sunsetAt.toUTCString() }),
      });
      setLink(reply, `<${successor}>; rel="successor-version"`);
    }
    if (isV1 && sunsetAt && Date.now() >= sunsetAt.getTime()) {
      const message = `v1 was retired on ${sunsetAt.toISOString()}; take v2.`;
      refuse(request, reply, new ApiError(HttpErrors.API_VERSION_RETIRED, message)).catch(done);
    } else done();
  });
}

/** Responds 406 if `Accept` excludes all types of the route. Otherwise sets the type that it chose. */
export function registerNegotiation(server: FastifyInstance): void {
  server.addHook('onRequest', (request, reply, done) => {
    const offered = offeredTypes(request.policy ?? {});
    const type = offered && negotiateType(request);
    if (type !== undefined && request.policy?.produces)
      void reply.type(type.startsWith('text/') ? `${type}; charset=utf-8` : type);
    if (!offered || type !== undefined) done();
    else done(new ApiError(HttpErrors.NOT_ACCEPTABLE, `Accept must allow one of ${offered.join(', ')}.`));
  });
  // JSON is UTF-8, and its media type has no parameters (RFC 8259 §8.1, §11); Fastify adds a charset.
  server.addHook('onSend', (_request, reply, _payload, done) => {
    const type = reply.getHeader('content-type');
    if (typeof type === 'string' && JSON_WITH_CHARSET.test(type))
      void reply.type(type.split(';')[0] as string);
    done();
  });
}

const JSON_WITH_CHARSET = /^[^;]+json; ?charset=utf-8$/;
