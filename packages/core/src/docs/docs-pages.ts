import { createHash } from 'node:crypto';

import { FastifyReply, RouteOptions } from 'fastify';

import { PRODUCT } from '../config/product.js';
import { RoutePolicy } from '../routes/route-policy.js';
import { SCALAR_CSS } from './styles.js';

/** The part of Immutable.js's collections that the filter uses. */
interface Collection {
  readonly size: number;
  get(key: string): Collection;
  getIn(path: readonly string[]): string;
  update(key: string, change: (part: Collection) => Collection): Collection;
  map(change: (part: Collection, key: string) => Collection): Collection;
  filter(test: (part: Collection) => boolean): Collection;
}

/**
 * Filters operations by tag, path and summary, ignoring case. The page receives the source text of this function, so
 * the function must not use imports or other functions of this file.
 */
function opsFilter(groups: Collection, words: string): Collection {
  const has = (text: string): boolean => text.toLowerCase().includes(words.toLowerCase());
  const filtered = groups.map((group, tag) =>
    group.update('operations', (operations) =>
      operations.filter((one) => has(`${tag} ${one.getIn(['path'])} ${one.getIn(['operation', 'summary'])}`)),
    ),
  );
  return filtered.filter((group) => group.get('operations').size > 0);
}

/** The settings of Scalar. The page fetches nothing from other servers, and sends nothing to them. */
export const scalarOptions = (versions: readonly number[]) => ({
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

/** The settings of Swagger UI. */
export const swaggerUiOptions = (versions: readonly number[]) => ({
  raw: false as const,
  customSiteTitle: `${PRODUCT.name} API`,
  explorer: true,
  swaggerOptions: {
    urls: versions.map((version) => ({ name: `v${version}`, url: `/docs/v${version}/openapi.json` })),
    // By default the page sends the document to a server of Swagger's for validation.
    validatorUrl: null,
    persistAuthorization: true,
    deepLinking: true,
    filter: true,
    plugins: [{ fn: { opsFilter } }],
    displayRequestDuration: true,
  },
});

/**
 * Returns a hook that makes the routes of the pages public and completes their HTML. The hook adds digests to links and
 * sets a viewport. It also makes the Content Security Policy allow the page's own script.
 * @param digests functions that return the digest of an asset, by path
 */
export const docsPagesHook = (digests: ReadonlyMap<string, () => string>) => (route: RouteOptions) => {
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

/** Added to Swagger UI's page, which a phone would otherwise show 980 pixels wide. */
const VIEWPORT = '<meta name="viewport" content="width=device-width, initial-scale=1">';

/** Matches a link to a script or a style sheet. Its group is the path below the page. */
const LINK = /(?<=(?:src|href)=")(?:\.\/)?(?:docs\/)?([\w./-]+)(?=")/g;

/** Allows the inline script of Scalar's page by its digest (Content Security Policy, level 2). */
function allowScript(reply: FastifyReply, page: string): void {
  const [, script] = /<script type="text\/javascript">([\s\S]*?)<\/script>/.exec(page) ?? [];
  if (script === undefined) return;
  const policy = String(reply.getHeader('content-security-policy'));
  const digest = createHash('sha256').update(script).digest('base64');
  const allowed = `script-src 'self' 'sha256-${digest}'`;
  void reply.header('content-security-policy', policy.replace("script-src 'self'", allowed));
}
