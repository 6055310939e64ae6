import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';

import { INestApplication } from '@nestjs/common';
import { OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import scalar from '@scalar/fastify-api-reference';
import { FastifyInstance, onSendHookHandler, RouteOptions } from 'fastify';
import { stringify } from 'yaml';

import '../access/require-permission.decorator.js';
import { Config } from '../config/config.js';
import { PRODUCT } from '../config/product.js';
import { CachePolicy } from '../http/caching/cache-policy.js';
import { isNotModified } from '../http/caching/preconditions.js';
import '../http/negotiation/versions.js';
import { RoutePolicy } from '../http/route-policy.js';
import { ApiDocs, buildDocument, documentOfVersion, textOf } from './document.js';

/** The guides as one text of Markdown. */
const guidesOf = (docs: ApiDocs): string =>
  readdirSync(new URL('guides', docs.folder))
    .sort()
    .map((name) => textOf(docs, `guides/${name}`))
    .join('\n\n');

/** Scalar's settings: nothing is fetched from elsewhere, and nothing is sent anywhere. */
const reference = (versions: readonly number[]) => ({
  pageTitle: `${PRODUCT.name} API reference`,
  sources: versions.map((version, index) => ({
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
});

/** Swagger UI's settings. */
const swaggerUi = (versions: readonly number[]) => ({
  raw: false as const,
  customSiteTitle: `${PRODUCT.name} API`,
  customCss: '.swagger-ui .topbar .link { display: none; }',
  explorer: true,
  swaggerOptions: {
    urls: versions.map((version) => ({ name: `v${version}`, url: `/docs/v${version}/openapi.json` })),
    // Else the page asks a server of Swagger's to judge the document.
    validatorUrl: null,
    persistAuthorization: true,
    deepLinking: true,
    filter: true,
    displayRequestDuration: true,
  },
});

/** Revalidated each time; shared caches may keep it, since it is the same for everybody. */
const REVALIDATED: CachePolicy = { withCredentials: 'public, no-cache', anonymous: 'public, no-cache' };

/** Serves Swagger UI, the documents, and Scalar at `/reference`, offline. To be called before the routes are registered. */
export function serveDocs(nest: INestApplication, { environment }: Pick<Config, 'environment'>): void {
  const server = nest.getHttpAdapter().getInstance() as FastifyInstance;
  const { versions } = server;
  server.addHook('onRoute', openDocs);
  const docs = nest.get(ApiDocs, { strict: false });
  const document = once(() => buildDocument(nest));
  const texts: Record<string, () => string> = {
    '/docs/openapi.json': () => JSON.stringify(document()),
    '/docs/openapi.yaml': () => stringify(document(), { aliasDuplicateObjects: false, lineWidth: 0 }),
  };
  for (const version of versions) {
    const shown = once(() => documentOfVersion(document(), version));
    texts[`/docs/v${version}/openapi.json`] = () => JSON.stringify(shown());
    // Scalar shows the description of a document beside its operations, and searches it.
    texts[`/reference/v${version}.json`] = () =>
      JSON.stringify({ ...shown(), info: { ...shown().info, description: guidesOf(docs) } });
  }
  for (const [url, make] of Object.entries(texts)) {
    const text = once(make);
    const etag = once(() => `"${createHash('sha256').update(text()).digest('base64url')}"`);
    // Takes half a second, which no request is to wait for. Tests start often, and ask for the documents seldom.
    if (environment !== 'test') server.addHook('onReady', async () => void text());
    server.get(url, { config: { policy: { cache: REVALIDATED } } }, (_request, reply) => {
      if (isNotModified(reply, { etag: etag(), lastModified: null })) return reply.send();
      return reply.type(url.endsWith('.yaml') ? 'application/yaml' : 'application/json').send(text());
    });
  }
  // The page fetches the document of the chosen version: none is embedded in it.
  SwaggerModule.setup('docs', nest, {} as OpenAPIObject, swaggerUi(versions));
  void server.register(scalar, { routePrefix: '/reference', configuration: reference(versions) });
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Opens the pages to everybody, and completes that of Scalar. */
function openDocs(route: RouteOptions): void {
  if (route.config?.policy && /^\/(docs|reference)(\/|$)/.test(route.url))
    Object.assign(route.config.policy, {
      access: { isPublic: true, isIdentifying: false },
    } satisfies RoutePolicy);
  if (route.url === '/reference/') route.onSend = allowScript;
}

/** Allows the one inline script of Scalar's page, by its digest (Content Security Policy, level 2). */
const allowScript: onSendHookHandler = (_request, reply, page, done) => {
  const [, script] = /<script type="text\/javascript">([\s\S]*?)<\/script>/.exec(String(page)) ?? [];
  if (script !== undefined) {
    const policy = String(reply.getHeader('content-security-policy'));
    const digest = createHash('sha256').update(script).digest('base64');
    const allowed = `script-src 'self' 'sha256-${digest}'`;
    void reply.header('content-security-policy', policy.replace("script-src 'self'", allowed));
  }
  done(null, page);
};
