import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

import { INestApplication } from '@nestjs/common';
import { OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import scalar from '@scalar/fastify-api-reference';
import { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { LRUCache } from 'lru-cache';
import { stringify } from 'yaml';

import { Config } from '../config/config.js';
import { PRODUCT } from '../config/product.js';
import { CachePolicy } from '../http/caching/cache-policy.js';
import { applyValidators } from '../http/caching/preconditions.js';
import { chooseMediaType } from '../http/negotiation/media-types.js';
import { RoutePolicy } from '../http/route-policy.js';
import { toOriginForm } from '../http/target.js';
import { ApiDocs, buildDocument, documentOfVersion, renderText } from './document.js';
import { ORIGIN } from './examples.js';
import { SCALAR_CSS, SWAGGER_CSS } from './styles.js';

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

/** A collection of Immutable.js, as far as the filter needs it. */
interface Collection {
  readonly size: number;
  get(key: string): Collection;
  getIn(path: readonly string[]): string;
  update(key: string, change: (part: Collection) => Collection): Collection;
  map(change: (part: Collection, key: string) => Collection): Collection;
  filter(test: (part: Collection) => boolean): Collection;
}

/** Filters operations by tag, path and summary, in any case. The page gets its text: it uses nothing from here. */
function opsFilter(groups: Collection, words: string): Collection {
  const has = (text: string): boolean => text.toLowerCase().includes(words.toLowerCase());
  const filtered = groups.map((group, tag) =>
    group.update('operations', (operations) =>
      operations.filter((one) => has(`${tag} ${one.getIn(['path'])} ${one.getIn(['operation', 'summary'])}`)),
    ),
  );
  return filtered.filter((group) => group.get('operations').size > 0);
}

/** Scalar's settings: nothing is fetched from elsewhere, and nothing is sent anywhere. */
const scalarOptions = (versions: readonly number[]) => ({
  pageTitle: `${PRODUCT.name} API reference`,
  sources: versions.map((version, index) => ({
    title: `Version ${version}`,
    slug: `v${version}`,
    url: `/reference/v${version}.json`,
    default: index === 0,
  })),
  customCss: SCALAR_CSS,
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never' as const,
  agent: { disabled: true },
  mcp: { disabled: true },
  persistAuth: true,
  favicon: 'data:,',
  cdn: 'js/standalone.js',
});

const swaggerUiOptions = (versions: readonly number[]) => ({
  raw: false as const,
  customSiteTitle: `${PRODUCT.name} API`,
  explorer: true,
  swaggerOptions: {
    urls: versions.map((version) => ({ name: `v${version}`, url: `/docs/v${version}/openapi.json` })),
    // Else the page asks a server of Swagger's to judge the document.
    validatorUrl: null,
    persistAuthorization: true,
    deepLinking: true,
    filter: true,
    plugins: [{ fn: { opsFilter } }],
    displayRequestDuration: true,
  },
});

/** Serves Swagger UI, the documents, and Scalar at `/reference`, offline. To be called before the routes are registered. */
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
    // Scalar shows the description of a document beside its operations, and searches it.
    texts[`/reference/v${version}.json`] = () =>
      JSON.stringify({ ...shown(), info: { ...shown().info, description: readGuides(nest) } });
  }
  const digests = new Map<string, () => string>();
  server.addHook('onRoute', docsPagesHook(digests));
  for (const [url, file] of Object.entries(ASSETS)) {
    // Our style comes with the page's own, compressed.
    const own = Buffer.from(url.endsWith('.css') ? SWAGGER_CSS : '');
    const digest = serveText(server, url, () => Buffer.concat([readFileSync(file), own]));
    digests.set(url, digest);
  }
  for (const [url, make] of Object.entries(texts)) {
    const digest = serveText(server, url, make);
    // Takes half a second, which no request is to wait for. Tests start often, and ask for the documents seldom.
    if (environment !== 'test') server.addHook('onReady', async () => void digest());
  }
  // The page fetches the document of the chosen version: none is embedded in it.
  SwaggerModule.setup('docs', nest, {} as OpenAPIObject, swaggerUiOptions(versions));
  void server.register(scalar, { routePrefix: '/reference', configuration: scalarOptions(versions) });
}

const docsPagesHook = (digests: ReadonlyMap<string, () => string>) => (route: RouteOptions) => {
  const [, page] = /^\/(docs|reference)(?:\/|$)/.exec(route.url) ?? [];
  if (!route.config?.policy || !page) return;
  const access = { isPublic: true, authenticatesCaller: false } as const;
  Object.assign(route.config.policy, { access } satisfies RoutePolicy);
  route.onSend = async (_request, reply, body) => {
    if (!String(reply.getHeader('content-type')).startsWith('text/html')) return body;
    const linked = String(body).replaceAll(LINK, (link, name: string) => {
      const digest = digests.get(`/${page}/${name}`);
      return digest ? `${link}?v=${digest()}` : link;
    });
    const html = linked.includes('name="viewport"') ? linked : linked.replace('<head>', `<head>${VIEWPORT}`);
    allowScript(reply, html);
    return html;
  };
};

/** Swagger UI's page has none, without which a phone shows a page of 980 pixels. */
const VIEWPORT = '<meta name="viewport" content="width=device-width, initial-scale=1">';

/** A link to a script or a style sheet, and its path below the page. */
const LINK = /(?<=(?:src|href)=")(?:\.\/)?(?:docs\/)?([\w./-]+)(?=")/g;

/** Allows the one inline script of Scalar's page, by its digest (Content Security Policy, level 2). */
function allowScript(reply: FastifyReply, page: string): void {
  const [, script] = /<script type="text\/javascript">([\s\S]*?)<\/script>/.exec(page) ?? [];
  if (script === undefined) return;
  const policy = String(reply.getHeader('content-security-policy'));
  const digest = createHash('sha256').update(script).digest('base64');
  const allowed = `script-src 'self' 'sha256-${digest}'`;
  void reply.header('content-security-policy', policy.replace("script-src 'self'", allowed));
}

/** Revalidated each time; shared caches may keep it, since it is the same for everybody. */
const PUBLIC_REVALIDATED: CachePolicy = {
  withCredentials: 'public, no-cache',
  anonymous: 'public, no-cache',
};

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.yaml': 'application/yaml',
};

/** The content codings, the better first. A higher quality of Brotli takes ten times as long for one part in twenty. */
const CODINGS: Readonly<Record<string, (text: string | Buffer) => Promise<Buffer>>> = {
  br: (text) => promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (text) => promisify(gzip)(text),
};

/** A text as it is sent. */
class ServedText {
  readonly digest: string;
  private readonly coded: Readonly<Record<string, () => Promise<Buffer>>>;

  constructor(readonly text: string | Buffer) {
    this.digest = createHash('sha256').update(text).digest('base64url');
    const entries = Object.entries(CODINGS).map(([name, compress]) => [name, memoize(() => compress(text))]);
    this.coded = Object.fromEntries(entries) as typeof this.coded;
  }

  async encodedAs(coding: string | undefined): Promise<string | Buffer> {
    return (coding !== undefined && (await this.coded[coding]?.())) || this.text;
  }
}

/** Documents name the origin that serves them. More names than these in use are compressed again and again. */
const MAX_ORIGINS = 4;

/** The origin that a request was sent to; `/` if it is unknown or malformed, as in a forged `X-Forwarded-Host`. */
function requestOrigin({ protocol, host }: FastifyRequest): string {
  const origin = `${protocol}://${host}`;
  return toOriginForm(origin) === undefined ? '/' : origin;
}

/**
 * Serves a text, compressed once for each coding. `ORIGIN` in it becomes the origin that the request was sent to.
 * @returns its digest: with `?v=<digest>` it is never asked for again
 */
function serveText(server: FastifyInstance, url: string, make: () => string | Buffer): () => string {
  const text = memoize(make);
  const served = new LRUCache<string, ServedText>({
    max: MAX_ORIGINS,
    memoMethod: (origin) => {
      const whole = text();
      return new ServedText(typeof whole === 'string' ? whole.replaceAll(ORIGIN, () => origin) : whole);
    },
  });
  server.get(url, { config: { policy: { cache: PUBLIC_REVALIDATED } } }, async (request, reply) => {
    const accepted = request.headers['accept-encoding'];
    const coding = accepted ? chooseMediaType(accepted, Object.keys(CODINGS)) : undefined;
    const found = served.memo(typeof text() === 'string' ? requestOrigin(request) : ORIGIN);
    const etag = `"${[found.digest, coding].filter(Boolean).join('-')}"`;
    void reply.header('vary', [reply.getHeader('vary'), 'Accept-Encoding'].filter(Boolean).join(', '));
    const isCurrent = applyValidators(reply, { etag, lastModified: null });
    if (request.url.endsWith(`?v=${found.digest}`))
      void reply.header('cache-control', 'public, max-age=31536000, immutable');
    if (isCurrent) return reply.send();
    const body = await found.encodedAs(coding);
    if (coding !== undefined) void reply.header('content-encoding', coding);
    return reply.type(CONTENT_TYPES[extname(url)] as string).send(body);
  });
  return () => served.memo(ORIGIN).digest;
}

function memoize<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
