import { INestApplication } from '@nestjs/common';
import { OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { FastifyInstance } from 'fastify';

import '#src/access/needs.decorator.js';
import { sendJson } from '#src/common/http/answer.js';
import { VERSIONS } from '#src/common/versioning/versions.js';

import { buildDocument, documentOfVersion } from './document.js';

/**
 * Serves Swagger UI at `/docs` with a document for each version, and the whole as `/docs/openapi.json` and
 * `.yaml`. All of it comes from this server: it works offline. To be called before the routes are registered; the
 * document is built when it is first asked for.
 */
export function serveDocs(nest: INestApplication): void {
  const server = nest.getHttpAdapter().getInstance() as FastifyInstance;
  server.addHook('onRoute', ({ url, config }) => {
    if (config?.policy && /^\/docs(\/|$)/.test(url))
      config.policy.access = { isOpen: true, isIdentifying: false };
  });
  let built: OpenAPIObject | undefined;
  const document = (): OpenAPIObject => (built ??= buildDocument(nest));

  const urls = VERSIONS.map((version) => ({ name: `v${version}`, url: `/docs/v${version}/openapi.json` }));
  for (const [index, { url }] of urls.entries()) {
    server.get(url, (_request, reply) => {
      sendJson(reply, JSON.stringify(documentOfVersion(document(), VERSIONS[index] as number)));
    });
  }
  SwaggerModule.setup('docs', nest, document, {
    jsonDocumentUrl: 'docs/openapi.json',
    yamlDocumentUrl: 'docs/openapi.yaml',
    customSiteTitle: 'Plinth API',
    explorer: true,
    swaggerOptions: { urls, persistAuthorization: true, displayRequestDuration: true, docExpansion: 'list' },
  });
}
