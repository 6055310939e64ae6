import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import { INestApplication } from '@nestjs/common';
import { OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import scalar from '@scalar/fastify-api-reference';
import { FastifyInstance } from 'fastify';
import { stringify } from 'yaml';

import { Config } from '../config/config.js';
import { ApiDocs, renderText } from './api-docs.js';
import { docsPagesHook, scalarOptions, swaggerUiOptions } from './docs-pages.js';
import { buildDocument, documentOfVersion } from './document.js';
import { memoize, serveText } from './served-text.js';
import { SWAGGER_CSS } from './styles.js';

const { resolve } = createRequire(import.meta.url);
const swaggerFile = (name: string): string =>
  createRequire(resolve('@nestjs/swagger')).resolve(`swagger-ui-dist/${name}`);
const ASSETS: Readonly<Record<string, string>> = {
  '/docs/swagger-ui.css': swaggerFile('swagger-ui.css'),
  '/docs/swagger-ui-bundle.js': swaggerFile('swagger-ui-bundle.js'),
  '/docs/swagger-ui-standalone-preset.js': swaggerFile('swagger-ui-standalone-preset.js'),
  '/reference/js/standalone.js': join(dirname(resolve('@scalar/fastify-api-reference')), 'js/standalone.js'),
};

const readGuides = (nest: INestApplication): string =>
  readdirSync(new URL('guides', nest.get(ApiDocs, { strict: false }).folder))
    .sort()
    .map((name) => renderText(nest, `guides/${name}`))
    .join('\n\n');

/**
 * Serves the OpenAPI documents, Swagger UI at `/docs` and Scalar at `/reference`. The pages fetch nothing from other
 * servers. Call this function before the routes are registered.
 */
export function serveDocs(nest: INestApplication, { environment }: Pick<Config, 'environment'>): void {
  const server = nest.getHttpAdapter().getInstance() as FastifyInstance;
  const { versions } = server;
  const document = memoize(() => buildDocument(nest));
  const texts: Record<string, () => string> = {
    '/docs/openapi.json': () => JSON.stringify(document()),
    '/docs/openapi.yaml': () => stringify(document(), { aliasDuplicateObjects: false, lineWidth: 0 }),
  };
  for (const version of versions) {
    const shown = memoize(() => documentOfVersion(document(), version));
    texts[`/docs/v${version}/openapi.json`] = () => JSON.stringify(shown());
    // The description contains the guides, because Scalar shows and searches the description.
    texts[`/reference/v${version}.json`] = () =>
      JSON.stringify({ ...shown(), info: { ...shown().info, description: readGuides(nest) } });
  }
  const digests = new Map<string, () => string>();
  server.addHook('onRoute', docsPagesHook(digests));
  for (const [url, file] of Object.entries(ASSETS)) {
    // Append our style to the style sheet of the page.
    const own = Buffer.from(url.endsWith('.css') ? SWAGGER_CSS : '');
    const digest = serveText(server, url, () => Buffer.concat([readFileSync(file), own]));
    digests.set(url, digest);
  }
  for (const [url, make] of Object.entries(texts)) {
    const digest = serveText(server, url, make);
    // Build the text at start, because it takes half a second. Tests do not, because they start often and rarely read
    // a document.
    if (environment !== 'test') server.addHook('onReady', async () => void digest());
  }
  // The page embeds no document. It fetches the document of the chosen version.
  SwaggerModule.setup('docs', nest, {} as OpenAPIObject, swaggerUiOptions(versions));
  void server.register(scalar, { routePrefix: '/reference', configuration: scalarOptions(versions) });
}
