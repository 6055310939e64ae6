import { createHash } from 'node:crypto';

import { FastifyReply } from 'fastify';

import { Answer, sendJson } from '../http/answer.js';
import { isAnsweredByValidators } from '../http/caching/validated.js';
import { pageLinks } from './links.js';
import { Page, Pagination, paginationOf } from './page.js';

export type { Page } from './page.js';

/**
 * A page of a list with its `ETag` over all it shows, and its links. One page may answer many requests at once:
 * it is mapped, serialized and hashed once.
 */
export class ListRepresentation<Row, T> extends Answer {
  private payload?: { readonly json: string; readonly etag: string; readonly pagination: Pagination };
  private links?: { readonly url: string; readonly header: string };

  constructor(
    private readonly page: Page<Row>,
    private readonly toItem: (row: Row) => T,
  ) {
    super();
  }

  send(reply: FastifyReply): void {
    const { json, etag, pagination } = (this.payload ??= this.serialize(reply));
    if (isAnsweredByValidators(reply, { etag, lastModified: null })) return;
    // Beside what a hook may have linked already: the successor of a deprecated version.
    const linked = reply.getHeader('link') as string | undefined;
    const links = this.linksOf(reply, pagination);
    void reply.header('link', linked ? `${linked}, ${links}` : links);
    sendJson(reply, json);
  }

  private serialize(reply: FastifyReply): { json: string; etag: string; pagination: Pagination } {
    const pagination = paginationOf(this.page, reply.server.cursors);
    const json = reply.serialize({ data: this.page.rows.map(this.toItem), pagination }) as string;
    const etag = `"${createHash('sha1').update(json).digest('base64url')}"`;
    return { json, etag, pagination };
  }

  /** Requests that were joined ask alike, and may have written it differently: each gets the links of its own URL. */
  private linksOf(reply: FastifyReply, pagination: Pagination): string {
    const { url } = reply.request;
    if (this.links?.url !== url)
      this.links = { url, header: pageLinks(url, this.page.query.position, pagination) };
    return this.links.header;
  }
}

/** The representations of each page, by what its rows are shown through. */
const shown = new WeakMap<object, Map<unknown, unknown>>();

/**
 * The representation of a page: its rows through `toItem`. Asked again for the same page (requests that were
 * joined), it is the same one.
 *
 * @example list(@ListParameters(products) query) { return this.products.list(query).then(pageOf(toProduct)); }
 */
export function pageOf<Row, T>(toItem: (row: Row) => T): (page: Page<Row>) => ListRepresentation<Row, T> {
  return (page) => {
    let byMapper = shown.get(page);
    if (!byMapper) shown.set(page, (byMapper = new Map()));
    let representation = byMapper.get(toItem) as ListRepresentation<Row, T> | undefined;
    if (!representation) byMapper.set(toItem, (representation = new ListRepresentation(page, toItem)));
    return representation;
  };
}
