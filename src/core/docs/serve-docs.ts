import { setImmediate } from 'node:timers/promises';

import { INestApplication } from '@nestjs/common';
import { OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { stringify } from 'yaml';

import { PRODUCT } from '../config/product.js';
import { VERSIONS } from '../http/negotiation/versions.js';
import { RoutePolicy } from '../http/route-policy.js';
import { buildDocument, documentOfVersion } from './document.js';
import { once, Prepare, serveContent } from './serve-content.js';
import { allowScript, serveReference } from './serve-reference.js';
import '../access/require-permission.decorator.js';

/**
 * Serves Swagger UI at `/docs` with a document for each version, the whole as `/docs/openapi.json` and `.yaml`, and the
 * reference with its guides at `/reference`. All of it comes from this server: it works offline. To be called before
 * the routes are registered. `/` and the base paths of the API redirect to Swagger UI.
 *
 * @returns builds the documents, to be called once the routes are registered; it keeps the process busy for half a
 *   second. If nobody calls it, the first request for a document builds it
 */
export function serveDocs(nest: INestApplication): Prepare {
  const server = nest.getHttpAdapter().getInstance() as FastifyInstance;
  server.addHook('onRoute', openDocs);
  for (const url of ENTRANCES) {
    server.get(url, (_request, reply) => {
      void reply.header('cache-control', 'no-cache').redirect('/docs');
    });
  }
  const document = once(() => buildDocument(nest));
  const documentOf = (version: number): OpenAPIObject => documentOfVersion(document(), version);
  const whole = serveJson(server, '/docs/openapi.json', document);
  const yaml = serveContent(server, {
    url: '/docs/openapi.yaml',
    type: 'application/yaml',
    make: () => stringify(document(), { aliasDuplicateObjects: false, lineWidth: 0 }),
  });
  const urls = VERSIONS.map((version) => ({ name: `v${version}`, url: `/docs/v${version}/openapi.json` }));
  const ofVersions = VERSIONS.map((version, index) =>
    serveJson(server, urls[index]?.url ?? '', () => documentOf(version)),
  );
  const ofReference = serveReference(server, documentOf);
  SwaggerModule.setup('docs', nest, NOTHING, {
    raw: false,
    customSiteTitle: `${PRODUCT.name} API`,
    customCss: SWAGGER_THEME,
    explorer: true,
    swaggerOptions: {
      urls,
      // Else the page asks a server of Swagger's to judge the document.
      validatorUrl: null,
      persistAuthorization: true,
      displayRequestDuration: true,
      deepLinking: true,
      filter: true,
      docExpansion: 'list',
      defaultModelsExpandDepth: -1,
    },
  });
  return inTurn([whole, yaml, ...ofVersions, ...ofReference]);
}

/** One after the other, with room for requests between them. */
const inTurn =
  (parts: readonly Prepare[]): Prepare =>
  async () => {
    for (const prepare of parts) {
      await prepare();
      await setImmediate();
    }
  };

/** Opens the pages to everybody, and completes those of Swagger UI. */
function openDocs(route: RouteOptions): void {
  if (route.config?.policy && (ENTRANCES.includes(route.url) || /^\/(docs|reference)(\/|$)/.test(route.url)))
    Object.assign(route.config.policy, {
      access: { isPublic: true, isIdentifying: false },
    } satisfies RoutePolicy);
  if (route.url === '/docs/*') route.onRequest = refuseOtherFiles;
  if (/^\/docs(\/|\/index\.html)?$/.test(route.url)) route.onSend = completePage;
  if (route.url === '/reference/') route.onSend = allowScript;
}

/** Addresses that people open in a browser to see what is there: they lead to the pages. */
const ENTRANCES = ['/', '/api', ...VERSIONS.map((version) => `/api/v${version}`)];

/** The files of the package of Swagger UI that its page loads, and their licences. Its others are not served. */
const FILES =
  /^(swagger-ui\.css|swagger-ui-(bundle|standalone-preset)\.js(\.LICENSE\.txt)?|favicon-(16x16|32x32)\.png)$/;

function refuseOtherFiles(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  if (FILES.test((request.params as { '*': string })['*'])) done();
  else reply.callNotFound();
}

const VIEWPORT = '<meta name="viewport" content="width=device-width, initial-scale=1">';

/** Adds what the template of Swagger UI's page lacks: without a viewport, phones show a page made for desktops. */
function completePage(
  _request: FastifyRequest,
  _reply: FastifyReply,
  payload: unknown,
  done: (error: null, payload: unknown) => void,
): void {
  const isPage = typeof payload === 'string' && !payload.includes('name="viewport"');
  done(null, isPage ? payload.replace('<head>', `<head>\n  ${VIEWPORT}`) : payload);
}

/** The document that is embedded in the page: none, because the page fetches the one of the chosen version. */
const NOTHING = {} as OpenAPIObject;

function serveJson(server: FastifyInstance, url: string, document: () => OpenAPIObject): Prepare {
  const make = (): string => JSON.stringify(document());
  return serveContent(server, { url, type: 'application/json', make });
}

/** The looks of Swagger UI: the product's name in place of Swagger's logo. */
export const SWAGGER_THEME = `
.swagger-ui .topbar .link > * { display: none; }
.swagger-ui .topbar .link::after { content: ${JSON.stringify(`${PRODUCT.name} API`)}; }
`;
