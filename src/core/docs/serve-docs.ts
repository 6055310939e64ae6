import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';

import { INestApplication } from '@nestjs/common';
import { OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import scalar from '@scalar/fastify-api-reference';
import { FastifyInstance, FastifyReply, FastifyRequest, onSendHookHandler, RouteOptions } from 'fastify';
import { stringify } from 'yaml';

import '../access/require-permission.decorator.js';
import { PRODUCT } from '../config/product.js';
import { VERSIONS } from '../http/negotiation/versions.js';
import { RoutePolicy } from '../http/route-policy.js';
import { buildDocument, documentOfVersion } from './document.js';
import { guides } from './guides.js';
import { once, Prepare, serveContent } from './serve-content.js';

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
    displayRequestDuration: true,
    deepLinking: true,
    filter: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: -1,
  },
};

/** Addresses that people open in a browser to see what is there: they lead to the pages. */
const ENTRANCES = ['/', '/api', ...VERSIONS.map((version) => `/api/v${version}`)];

/**
 * Serves Swagger UI at `/docs` with a document for each version, the whole as `/docs/openapi.json` and `.yaml`, and the
 * reference with its guides, by Scalar, at `/reference`. All of it comes from this server: it works offline. To be
 * called before the routes are registered. `/` and the base paths of the API redirect to Swagger UI.
 *
 * @returns builds the documents, to be called once the routes are registered; it keeps the process busy for half a
 *   second. If nobody calls it, the first request for a document builds it
 */
export function serveDocs(nest: INestApplication): Prepare {
  const server = nest.getHttpAdapter().getInstance() as FastifyInstance;
  server.addHook('onRoute', openDocs);
  for (const url of ENTRANCES)
    server.get(url, (_request, reply) => {
      void reply.header('cache-control', 'no-cache').redirect('/docs');
    });
  const document = once(() => buildDocument(nest));
  const json = (url: string, make: () => OpenAPIObject): Prepare =>
    serveContent(server, url, 'application/json', () => JSON.stringify(make()));
  const yaml = (): string => stringify(document(), { aliasDuplicateObjects: false, lineWidth: 0 });
  const parts = [
    json('/docs/openapi.json', document),
    serveContent(server, '/docs/openapi.yaml', 'application/yaml', yaml),
    ...VERSIONS.flatMap((version) => {
      const shown = once(() => documentOfVersion(document(), version));
      return [
        json(`/docs/v${version}/openapi.json`, shown),
        // Scalar shows the description of a document beside its operations, and searches it.
        json(`/reference/v${version}.json`, () => ({
          ...shown(),
          info: { ...shown().info, description: guides() },
        })),
      ];
    }),
  ];
  // The page fetches the document of the chosen version: none is embedded in it.
  SwaggerModule.setup('docs', nest, {} as OpenAPIObject, SWAGGER_UI);
  void server.register(scalar, { routePrefix: '/reference', configuration: REFERENCE });
  return async () => {
    for (const prepare of parts) {
      await prepare();
      // Lets requests in between.
      await setImmediate();
    }
  };
}

/** Opens the pages to everybody, and completes those of Swagger UI and Scalar. */
function openDocs(route: RouteOptions): void {
  if (route.config?.policy && (ENTRANCES.includes(route.url) || /^\/(docs|reference)(\/|$)/.test(route.url)))
    Object.assign(route.config.policy, {
      access: { isPublic: true, isIdentifying: false },
    } satisfies RoutePolicy);
  if (route.url === '/docs/*') route.onRequest = refuseOtherFiles;
  if (/^\/docs(\/|\/index\.html)?$/.test(route.url)) route.onSend = addViewport;
  if (route.url === '/reference/') route.onSend = allowScript;
}

/** The files of the package of Swagger UI that its page loads, and their licences. Its others are not served. */
const FILES =
  /^(swagger-ui\.css|swagger-ui-(bundle|standalone-preset)\.js(\.LICENSE\.txt)?|favicon-(16x16|32x32)\.png)$/;

function refuseOtherFiles(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  if (FILES.test((request.params as { '*': string })['*'])) done();
  else reply.callNotFound();
}

/** Without a viewport, phones show a page made for desktops. */
const addViewport: onSendHookHandler = (_request, _reply, payload, done) => {
  const viewport = '<meta name="viewport" content="width=device-width, initial-scale=1">';
  const isPage = typeof payload === 'string' && !payload.includes('name="viewport"');
  done(null, isPage ? payload.replace('<head>', `<head>\n  ${viewport}`) : payload);
};

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
