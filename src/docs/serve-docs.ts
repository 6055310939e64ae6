import { INestApplication } from '@nestjs/common';
import { OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { stringify } from 'yaml';

import '../access/require-permission.decorator.js';
import { PRODUCT } from '../config/product.js';
import { sendJson } from '../http/json.js';
import { VERSIONS } from '../http/negotiation/versions.js';
import { RoutePolicy } from '../http/route-policy.js';
import { buildDocument, documentOfVersion } from './document.js';

/**
 * Serves Swagger UI at `/docs` with a document for each version, and the whole as `/docs/openapi.json` and
 * `.yaml`. All of it comes from this server: it works offline. To be called before the routes are registered; the
 * document is built when it is first asked for. `/` and the base paths of the API redirect to it.
 */
export function serveDocs(nest: INestApplication): void {
  const server = nest.getHttpAdapter().getInstance() as FastifyInstance;
  server.addHook('onRoute', (route) => {
    if (route.config?.policy && (ENTRANCES.includes(route.url) || /^\/docs(\/|$)/.test(route.url)))
      Object.assign(route.config.policy, {
        access: { isPublic: true, isIdentifying: false },
        isAccessImplied: false,
      } satisfies RoutePolicy);
    if (route.url === '/docs/*') route.onRequest = refuseOtherFiles;
  });
  for (const url of ENTRANCES) {
    server.get(url, (_request, reply) => {
      void reply.header('cache-control', 'no-cache').redirect('/docs');
    });
  }
  const document = once(() => buildDocument(nest));
  serveJson(server, '/docs/openapi.json', document);
  const yaml = once(() => stringify(document(), { aliasDuplicateObjects: false }));
  server.get('/docs/openapi.yaml', (_request, reply) => {
    void reply.type('application/yaml').send(yaml());
  });
  const urls = VERSIONS.map((version) => ({ name: `v${version}`, url: `/docs/v${version}/openapi.json` }));
  for (const [index, { url }] of urls.entries()) {
    serveJson(server, url, () => documentOfVersion(document(), VERSIONS[index] as number));
  }
  SwaggerModule.setup('docs', nest, NOTHING, {
    raw: false,
    customSiteTitle: `${PRODUCT.name} API`,
    explorer: true,
    swaggerOptions: {
      urls,
      // Else the page asks a server of Swagger's to judge the document.
      validatorUrl: null,
      persistAuthorization: false,
      displayRequestDuration: true,
      docExpansion: 'list',
      defaultModelsExpandDepth: 0,
    },
  });
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

/** The document that is embedded in the page: none, because the page fetches the one of the chosen version. */
const NOTHING = {} as OpenAPIObject;

function serveJson(server: FastifyInstance, url: string, document: () => OpenAPIObject): void {
  const json = once(() => JSON.stringify(document()));
  server.get(url, (_request, reply) => {
    sendJson(reply, json());
  });
}

function once<T extends object | string>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
