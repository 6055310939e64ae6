import { readFileSync } from 'node:fs';

import { OpenAPIObject } from '@nestjs/swagger';
import { FastifyInstance } from 'fastify';

import { PRODUCT } from '../config/product.js';
import { errorCatalogue } from '../http/errors/catalogue.js';
import { VERSIONS } from '../http/negotiation/versions.js';
import { EXAMPLE_ORIGIN, guidesOf } from './guides.js';
import { REFERENCE_NAMES } from './page-names.js';
import { REFERENCE_CSS } from './reference-css.js';
import { IMMUTABLE, once, Prepare, REVALIDATED, serveBrotli, serveContent } from './serve-content.js';

/** The version of Scalar in `scalar/`, see the README there. */
const SCALAR_VERSION = '1.72.1';
const SCALAR = `/reference/scalar-${SCALAR_VERSION}.js`;

/** Scalar's settings: nothing is fetched from elsewhere, and nothing is sent anywhere. */
const SETTINGS = {
  sources: VERSIONS.map((version, index) => ({
    title: `Version ${version}`,
    slug: `v${version}`,
    url: `/reference/v${version}.json`,
    default: index === 0,
  })),
  withDefaultFonts: false,
  customCss: REFERENCE_CSS,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  persistAuth: true,
  defaultOpenFirstTag: false,
  documentDownloadType: 'both',
  metaData: { title: `${PRODUCT.name} API reference` },
};

/** Commands of the guides can be pasted: in place of the example's origin the page shows its own. */
const START = `${REFERENCE_NAMES}
Scalar.createApiReference('#reference', {
  ...${JSON.stringify(SETTINGS)},
  customFetch: async (input, init) => {
    const response = await fetch(input, init);
    if (!new URL(response.url).pathname.startsWith('/reference/')) return response;
    const text = (await response.text()).replaceAll('${EXAMPLE_ORIGIN}', location.origin);
    return new Response(text, response);
  },
});
`;

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${PRODUCT.name} API reference</title>
    <link rel="icon" href="data:,">
  </head>
  <body>
    <div id="reference"></div>
    <noscript>The reference needs JavaScript; the document is at <a href="/docs/openapi.json">/docs/openapi.json</a>.</noscript>
    <script src="${SCALAR}"></script>
    <script src="/reference/start.js"></script>
  </body>
</html>
`;

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
  const script = once(() => readFileSync(new URL('./scalar/standalone.js.br', import.meta.url)));
  const javascript = 'text/javascript; charset=utf-8';
  serveContent(server, {
    url: '/reference',
    type: 'text/html; charset=utf-8',
    cache: REVALIDATED,
    make: () => PAGE,
  });
  serveBrotli(server, { url: SCALAR, type: javascript, cache: IMMUTABLE }, script);
  serveContent(server, {
    url: '/reference/start.js',
    type: javascript,
    cache: REVALIDATED,
    make: () => START,
  });
  return VERSIONS.map((version) =>
    serveContent(server, {
      url: `/reference/v${version}.json`,
      type: 'application/json',
      cache: REVALIDATED,
      make: () => JSON.stringify(withGuides(documentOf(version))),
    }),
  );
}

/** The document with the guides as its description: Scalar shows them beside the operations, and searches them. */
function withGuides(document: OpenAPIObject): OpenAPIObject {
  return { ...document, info: { ...document.info, description: guidesOf(errorCatalogue()) } };
}
