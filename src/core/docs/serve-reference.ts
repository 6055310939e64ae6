import { createHash } from 'node:crypto';

import scalar from '@scalar/fastify-api-reference';
import { OpenAPIObject } from '@nestjs/swagger';
import { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { PRODUCT } from '../config/product.js';
import { errorCatalogue } from '../http/errors/catalogue.js';
import { VERSIONS } from '../http/negotiation/versions.js';
import { guidesOf } from './guides.js';
import { Prepare, serveContent } from './serve-content.js';

/** Scalar's settings: nothing is fetched from elsewhere, and nothing is sent anywhere. */
const SETTINGS = {
  pageTitle: `${PRODUCT.name} API reference`,
  sources: VERSIONS.map((version, index) => ({
    title: `Version ${version}`,
    slug: `v${version}`,
    url: `/reference/v${version}.json`,
    default: index === 0,
  })),
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never' as const,
  agent: { disabled: true },
  mcp: { disabled: true },
  persistAuth: true,
  favicon: 'data:,',
};

/**
 * Serves the reference at `/reference`: the documents of the versions and the guides, shown by Scalar. All of it comes
 * from this server: it works offline.
 *
 * @param documentOf the document of a version
 * @returns what prepares the documents
 */
export function serveReference(
  server: FastifyInstance,
  documentOf: (version: number) => OpenAPIObject,
): Prepare[] {
  void server.register(scalar, { routePrefix: '/reference', configuration: SETTINGS });
  return VERSIONS.map((version) =>
    serveContent(server, {
      url: `/reference/v${version}.json`,
      type: 'application/json',
      make: () => JSON.stringify(withGuides(documentOf(version))),
    }),
  );
}

/** Allows the one inline script of Scalar's page, by its digest (Content Security Policy, level 2). */
export function allowScript(
  _request: FastifyRequest,
  reply: FastifyReply,
  page: unknown,
  done: (error: null, payload: unknown) => void,
): void {
  const [, script] = /<script type="text\/javascript">([\s\S]*?)<\/script>/.exec(String(page)) ?? [];
  const policy = String(reply.getHeader('content-security-policy'));
  if (script !== undefined) {
    const digest = createHash('sha256').update(script).digest('base64');
    void reply.header(
      'content-security-policy',
      policy.replace("script-src 'self'", `script-src 'self' 'sha256-${digest}'`),
    );
  }
  done(null, page);
}

/** The document with the guides as its description: Scalar shows them beside the operations, and searches them. */
function withGuides(document: OpenAPIObject): OpenAPIObject {
  return { ...document, info: { ...document.info, description: guidesOf(errorCatalogue()) } };
}
