import { hash } from 'node:crypto';

import { FastifyReply } from 'fastify';

import { JsonSchema } from '../fields/json-schema.js';
import { rememberJson, serializerOf } from '../http/json.js';
import { isNotModified } from '../http/caching/validated.js';
import { pageLinks } from './links.js';
import { Page, Pagination, paginationOf } from './page.js';

/** A page as its clients see it. One page may answer many requests: it is serialized and hashed once. */
interface Shown {
  readonly body: { readonly data: readonly unknown[]; readonly pagination: Pagination };
  readonly etag: string;
  links?: { readonly url: string; readonly header: string };
}

/** A row as its clients see it. */
interface Item {
  readonly shown: unknown;
  readonly json: string;
  /** Of its JSON. */
  readonly digest: string;
}

/**
 * Turns the page that a route returns into its response: the envelope, `ETag`, `Cache-Control`, `Link`; 304 where the
 * client's copy is current. One for each route.
 */
export class PageResponse {
  private readonly shown = new WeakMap<Page<unknown>, Shown>();
  /** Of frozen rows, which stay what they are: pages share those that are kept. */
  private readonly items = new WeakMap<object, Item>();
  private toJson: ((item: unknown) => string) | undefined;

  /**
   * @param schema of an item
   * @param toItem what is shown of a row, where it is not the row itself
   */
  constructor(
    private readonly schema: JsonSchema,
    private readonly toItem: (row: never) => unknown = (row) => row,
  ) {}

  /** The body of the response to a request for a page, whose headers are set; `undefined` with 304. */
  of(page: Page<unknown>, reply: FastifyReply): object | undefined {
    let shown = this.shown.get(page);
    if (!shown) this.shown.set(page, (shown = this.show(page, reply)));
    if (isNotModified(reply, { etag: shown.etag, lastModified: null })) return undefined;
    // Beside what a hook may have linked already: the successor of a deprecated version.
    const linked = reply.getHeader('link') as string | undefined;
    const links = linksOf(shown, page, reply);
    void reply.header('link', linked ? `${linked}, ${links}` : links);
    return shown.body;
  }

  private show(page: Page<unknown>, reply: FastifyReply): Shown {
    this.toJson ??= serializerOf({ ...this.schema }, reply);
    const items = page.rows.map((row) => this.itemOf(row as object));
    const pagination = paginationOf(page, reply.server.cursors);
    const paginationJson = JSON.stringify(pagination);
    let [data, digests] = ['', ''];
    for (const { json, digest } of items) {
      data += data === '' ? json : `,${json}`;
      digests += digest;
    }
    const body = { data: items.map(({ shown }) => shown), pagination };
    rememberJson(body, `{"data":[${data}],"pagination":${paginationJson}}`);
    // Digests are all of one length: no two pages have the same text.
    return { body, etag: `"${digestOf(digests + paginationJson)}"` };
  }

  private itemOf(row: object): Item {
    let item = this.items.get(row);
    if (!item) {
      // Of the list's own entity, whose type is erased where routes are defined.
      const shown = this.toItem(row as never);
      const json = (this.toJson as (item: unknown) => string)(shown);
      item = { shown, json, digest: digestOf(json) };
      if (Object.isFrozen(row)) this.items.set(row, item);
    }
    return item;
  }
}

const digestOf = (text: string): string => hash('sha1', text, 'base64url');

/** Requests that were joined ask alike, and may have written it differently: each gets the links of its own URL. */
function linksOf(shown: Shown, page: Page<unknown>, { request: { url } }: FastifyReply): string {
  if (shown.links?.url !== url)
    shown.links = { url, header: pageLinks(url, page.query.position, shown.body.pagination) };
  return shown.links.header;
}
