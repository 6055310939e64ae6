import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { INestApplication } from '@nestjs/common';
import { OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import scalar from '@scalar/fastify-api-reference';
import { FastifyInstance, onSendHookHandler, RouteOptions } from 'fastify';
import { stringify } from 'yaml';

import '../access/require-permission.decorator.js';
import { PRODUCT } from '../config/product.js';
import { CachePolicy } from '../http/caching/cache-policy.js';
import { errorCatalogue } from '../http/errors/catalogue.js';
import { vendorMediaType } from '../http/negotiation/negotiate.js';
import { VERSIONS } from '../http/negotiation/versions.js';
import { RoutePolicy } from '../http/route-policy.js';
import { buildDocument, documentOfVersion } from './document.js';

/** The guides beside the reference, in their order: pages of Markdown in `guides/`. */
const GUIDES =
  'getting-started authentication errors paging caching-and-concurrency idempotency versions limits typescript-client'.split(
    ' ',
  );

/** The guides as one text of Markdown; of errors a section by code: anchors are stable. */
function guides(): string {
  const errors = errorCatalogue().map(
    ({ code, status, summary }) => `## ${code}\n\n**${status}** ${summary}`,
  );
  const values: Readonly<Record<string, string | undefined>> = {
    product: PRODUCT.name,
    clientPackage: PRODUCT.clientPackage,
    vendorMediaType: vendorMediaType(2),
    exampleOrigin: 'https://api.example.com',
    errors: errors.join('\n\n'),
  };
  return GUIDES.map((name) => readFileSync(new URL(`./guides/${name}.md`, import.meta.url), 'utf8').trim())
    .join('\n\n')
    .replaceAll(/\{\{(\w+)\}\}/g, (placeholder, key: string) => values[key] ?? placeholder);
}

/** Scalar's settings: nothing is fetched from elsewhere, and nothing is sent anywhere. */
const REFERENCE = {
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

/** Swagger UI's settings, with the product's name in place of Swagger's logo. */
const SWAGGER_UI = {
  raw: false as const,
  customSiteTitle: `${PRODUCT.name} API`,
  customCss: `
.swagger-ui .topbar .link > * { display: none; }
.swagger-ui .topbar .link::after { content: ${JSON.stringify(`${PRODUCT.name} API`)}; }
`,
  explorer: true,
  swaggerOptions: {
    urls: VERSIONS.map((version) => ({ name: `v${version}`, url: `/docs/v${version}/openapi.json` })),
    // Else the page asks a server of Swagger's to judge the document.
    validatorUrl: null,
    persistAuthorization: true,
    deepLinking: true,
    filter: true,
    displayRequestDuration: true,
  },
};

/** Revalidated each time; shared caches may keep it, since it is the same for everybody. */
const REVALIDATED: CachePolicy = { withCredentials: 'public, no-cache', anonymous: 'public, no-cache' };

/**
 * Serves Swagger UI, the documents, and Scalar at `/reference`, offline. To be called before the routes are registered.
 * @returns builds the documents, which takes half a second; else their first requests do
 */
export function serveDocs(nest: INestApplication): () => void {
  const server = nest.getHttpAdapter().getInstance() as FastifyInstance;
  server.addHook('onRoute', openDocs);
  const document = once(() => buildDocument(nest));
  const texts: Record<string, () => string> = {
    '/docs/openapi.json': () => JSON.stringify(document()),
    '/docs/openapi.yaml': () => stringify(document(), { aliasDuplicateObjects: false, lineWidth: 0 }),
  };
  for (const version of VERSIONS) {
    const shown = once(() => documentOfVersion(document(), version));
    texts[`/docs/v${version}/openapi.json`] = () => JSON.stringify(shown());
    // Scalar shows the description of a document beside its operations, and searches it.
    texts[`/reference/v${version}.json`] = () =>
      JSON.stringify({ ...shown(), info: { ...shown().info, description: guides() } });
  }
  const makers = Object.entries(texts).map(([url, make]) => {
    const text = once(make);
    server.get(url, { config: { policy: { cache: REVALIDATED } } }, (_request, reply) =>
      reply.type(url.endsWith('.yaml') ? 'application/yaml' : 'application/json').send(text()),
    );
    return text;
  });
  // The page fetches the document of the chosen version: none is embedded in it.
  SwaggerModule.setup('docs', nest, {} as OpenAPIObject, SWAGGER_UI);
  void server.register(scalar, { routePrefix: '/reference', configuration: REFERENCE });
  return () => {
    for (const make of makers) make();
  };
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
