import { hash } from 'node:crypto';

import { FastifyReply } from 'fastify';

import { rememberJson, serialize } from '../http/json.js';
import { isNotModified } from '../http/caching/validated.js';
import { pageLinks } from './links.js';
import { Page, Pagination, paginationOf } from './page.js';

/** A page as its clients see it. One page may answer many requests: it is serialized and hashed once. */
interface Shown {
  readonly body: { readonly data: readonly unknown[]; readonly pagination: Pagination };
  readonly etag: string;
  links?: { readonly url: string; readonly header: string };
}

/**
 * Turns the page that a route returns into its response: the envelope, `ETag`, `Cache-Control`, `Link`; 304 where the
 * client's copy is current. One for each route.
 */
export class PageResponse {
  private readonly shown = new WeakMap<Page<unknown>, Shown>();

  /** @param toItem what is shown of a row, where it is not the row itself */
  constructor(private readonly toItem?: (row: never) => unknown) {}

  /** The body of the response to a request for a page, whose headers are set; `undefined` with 304. */
  of(page: Page<unknown>, reply: FastifyReply): object | undefined {
    let shown = this.shown.get(page);
    if (!shown) this.shown.set(page, (shown = this.serialize(page, reply)));
    if (isNotModified(reply, { etag: shown.etag, lastModified: null })) return undefined;
    // Beside what a hook may have linked already: the successor of a deprecated version.
    const linked = reply.getHeader('link') as string | undefined;
    const links = linksOf(shown, page, reply);
    void reply.header('link', linked ? `${linked}, ${links}` : links);
    return shown.body;
  }

  private serialize(page: Page<unknown>, reply: FastifyReply): Shown {
    // Rows of the list's own entity, whose type is erased where routes are defined.
    const data = this.toItem ? page.rows.map((row) => this.toItem?.(row as never)) : page.rows;
    const body = { data, pagination: paginationOf(page, reply.server.cursors) };
    const json = serialize(body, reply);
    rememberJson(body, json);
    return { body, etag: `"${hash('sha1', json, 'base64url')}"` };
  }
}

/** Requests that were joined ask alike, and may have written it differently: each gets the links of its own URL. */
function linksOf(shown: Shown, page: Page<unknown>, { request: { url } }: FastifyReply): string {
  if (shown.links?.url !== url)
    shown.links = { url, header: pageLinks(url, page.query.position, shown.body.pagination) };
  return shown.links.header;
}
