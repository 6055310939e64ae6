import { IncomingMessage } from 'node:http';

import { FastifyInstance } from 'fastify';

import { Config } from '../../config/config.js';
import { ConfigError } from '../../config/read-config.js';
import { versionsOf } from '../../nest/route-metadata.js';
import { ApiError } from '../errors/api-error.js';
import { HttpErrors } from '../errors/http.errors.js';
import { setLink } from '../headers.js';
import { RejectCounted } from '../rate-limit/rate-limit.js';
import { ApiVersions, undeclaredFault } from './api-versions.js';
import { chooseMediaType, JSON_TYPE, vendorMediaType } from './media-types.js';
import { offeredTypes, negotiateType, setMediaType } from './produces.decorator.js';

declare module 'fastify' {
  interface FastifyInstance {
    /** The versions of the API that controllers serve. The first is the default: paths without a version lead to it. */
    versions: readonly number[];
  }
}

const VERSIONED_PATH = /^\/api\/v(\d+)(?:[/?]|$)/;

/** Returns the versions that controllers name, in ascending order. */
export function servedVersions(controllers: readonly object[]): number[] {
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

/**
 * Announces in each response of a deprecated version when it was deprecated and when it will be retired (RFC 9745, RFC 8594),
 * and links to its successor. Responds 410 to requests after its sunset.
 * @throws Error if a successor, ConfigError if a variable names a version that the application does not declare
 */
export function registerVersions(
  server: FastifyInstance,
  { versions: dates }: Pick<Config, 'versions'>,
  declared: ApiVersions,
  reject: RejectCounted,
): void {
  assertDeclared(dates, declared);
  if (Object.keys(dates).length === 0) return;
  server.addHook('onRequest', (request, reply, done) => {
    const { policy, url } = request;
    const version = policy ? policy.apiVersion : VERSIONED_PATH.exec(url)?.[1];
    const { deprecatedAt, sunsetAt } = dates[String(version)] ?? {};
    const { successor } = declared[Number(version)] ?? {};
    if (deprecatedAt)
      void reply.headers({
        deprecation: `@${Math.floor(deprecatedAt.getTime() / 1000)}`,
        ...(sunsetAt && { sunset: sunsetAt.toUTCString() }),
      });
    if (deprecatedAt && successor !== undefined) {
      // Some clients send these characters unescaped, and they would end the link (RFC 8288 §3).
      const target = url
        .replace(`/api/v${version}`, `/api/v${successor}`)
        .replaceAll(/[<>"]/g, encodeURIComponent);
      setLink(reply, `<${target}>; rel="successor-version"`);
    }
    if (sunsetAt && Date.now() >= sunsetAt.getTime()) {
      const advice = successor === undefined ? '' : ` Use version ${successor}.`;
      const message = `Version ${version} was retired on ${sunsetAt.toISOString()}.${advice}`;
      reject(request, reply, new ApiError(HttpErrors.API_VERSION_RETIRED, message)).catch(done);
    } else done();
  });
}

function assertDeclared(dates: Config['versions'], declared: ApiVersions): void {
  for (const [version, { successor = version }] of Object.entries(declared)) {
    const fault = undeclaredFault(successor, `the successor of version ${version}`, declared);
    if (fault !== undefined) throw new Error(fault);
  }
  const faults = Object.keys(dates).flatMap(
    (version) => undeclaredFault(version, `API_V${version}_DEPRECATED_AT`, declared) ?? [],
  );
  if (faults.length > 0) throw new ConfigError(faults);
}

/** Responds 406 if `Accept` excludes all types of the route. Otherwise sets the type that it chose. */
export function registerNegotiation(server: FastifyInstance): void {
  server.addHook('onRequest', (request, reply, done) => {
    const offered = offeredTypes(request.policy ?? {});
    const type = offered && negotiateType(request);
    if (type !== undefined && request.policy?.produces) setMediaType(reply, type);
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
