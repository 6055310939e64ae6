import { hash } from 'node:crypto';

import { FastifyReply } from 'fastify';

import { isNotModified } from '../http/caching/validated.js';
import { pageLinks } from './links.js';
import { Page, paginationOf } from './page.js';

/**
 * Turns the page that a route returns into its response: the envelope, `ETag`, `Cache-Control`, `Link`; 304 where the
 * client's copy is current. One for each route.
 */
export class PageResponse {
  /** @param toItem what is shown of a row, where it is not the row itself */
  constructor(private readonly toItem: (row: never) => unknown = (row) => row) {}

  /** The body of the response to a request for a page, whose headers are set; `undefined` with 304. */
  of(page: Page<unknown>, reply: FastifyReply): object | undefined {
    const pagination = paginationOf(page, reply.server.cursors);
    // Of the list's own entity, whose type is erased where routes are defined.
    const body = { data: page.rows.map((row) => this.toItem(row as never)), pagination };
    const etag = `"${hash('sha1', reply.serialize(body) as string, 'base64url')}"`;
    if (isNotModified(reply, { etag, lastModified: null })) return undefined;
    // Beside what a hook may have linked already: the successor of a deprecated version.
    const linked = reply.getHeader('link') as string | undefined;
    const links = pageLinks(reply.request.url, page.query.position, pagination);
    void reply.header('link', linked ? `${linked}, ${links}` : links);
    return body;
  }
}
