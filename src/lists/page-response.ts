import { hash } from 'node:crypto';

import { FastifyReply } from 'fastify';

import { JsonSchema } from '../fields/json-schema.js';
import { freeze } from '../database/row-cache.js';
import { ownSerializerOf, rememberJson, serialize, serializerOf } from '../http/json.js';
import { isNotModified } from '../http/caching/validated.js';
import { CursorCodec } from './cursor.js';
import { pageLinks } from './links.js';
import { Page, Pagination, paginationOf } from './page.js';
import { areKept } from './kept-rows.js';

/** A page as its clients see it. One page may answer many requests: it is serialized and hashed once. */
interface Shown {
  readonly body: { readonly data: readonly unknown[]; readonly pagination: Pagination };
  readonly etag: string;
  /** By which the cursor in it is signed. */
  readonly cursors: CursorCodec;
  links?: { readonly url: string; readonly header: string };
}

/** A row as its clients see it. */
interface Item {
  readonly shown: unknown;
  readonly json: string;
}

/**
 * Turns the page that a route returns into its response: the envelope, `ETag`, `Cache-Control`, `Link`; 304 where the
 * client's copy is current. One for each route.
 */
export class PageResponse {
  private readonly shown = new WeakMap<Page<unknown>, Shown>();
  /** By kept rows, which other pages show as well. */
  private readonly items = new WeakMap<object, Item>();
  private readonly toItem: (row: never) => unknown;
  private toJson: ((item: unknown) => string) | undefined;

  /**
   * @param schema of an item
   * @param toItem what is shown of a row, where it is not the row itself
   */
  constructor(
    private readonly schema: JsonSchema,
    toItem: (row: never) => unknown = (row) => row,
  ) {
    this.toItem = (row) => freeze(toItem(row));
  }

  /** The body of the response to a request for a page, whose headers are set; `undefined` with 304. */
  of(page: Page<unknown>, reply: FastifyReply): object | undefined {
    const shown = ownSerializerOf(reply) ? this.show(page, reply, true) : this.sharedOf(page, reply);
    if (isNotModified(reply, { etag: shown.etag, lastModified: null })) return undefined;
    // Beside what a hook may have linked already: the successor of a deprecated version.
    const linked = reply.getHeader('link') as string | undefined;
    const links = linksOf(shown, page, reply);
    void reply.header('link', linked ? `${linked}, ${links}` : links);
    return shown.body;
  }

  private sharedOf(page: Page<unknown>, reply: FastifyReply): Shown {
    let shown = this.shown.get(page);
    // The secrets that cursors are signed with may have been replaced since.
    if (shown?.cursors !== reply.server.cursors)
      this.shown.set(page, (shown = this.show(page, reply, false)));
    return shown;
  }

  /** @param isOwn whether the reply has a serializer of its own: neither the page nor what is made of rows is shared */
  private show(page: Page<unknown>, reply: FastifyReply, isOwn: boolean): Shown {
    const rows = page.rows as readonly object[];
    const { cursors } = reply.server;
    const pagination = Object.freeze(paginationOf(page, cursors));
    const { data, json } =
      areKept(rows) && !isOwn
        ? this.joined(rows, pagination, reply)
        : this.serialized(rows, pagination, reply);
    // Requests that ask alike share it.
    const body = Object.freeze({ data, pagination });
    rememberJson(body, json, reply);
    return { body, etag: `"${hash('sha1', json, 'base64url')}"`, cursors };
  }

  /** The page, serialized as a whole. */
  private serialized(rows: readonly object[], pagination: Pagination, reply: FastifyReply): Serialized {
    // Of the list's own entity, whose type is erased where routes are defined.
    const data = rows.map((row) => this.toItem(row as never));
    return { data: Object.freeze(data), json: serialize({ data, pagination }, reply) };
  }

  /** The page, joined from the JSON that is remembered of each row. */
  private joined(rows: readonly object[], pagination: Pagination, reply: FastifyReply): Serialized {
    this.toJson ??= serializerOf({ ...this.schema }, reply);
    const data: unknown[] = [];
    let json = '{"data":[';
    for (const row of rows) {
      const item = this.itemOf(row, this.toJson);
      json += data.length === 0 ? item.json : `,${item.json}`;
      data.push(item.shown);
    }
    return { data: Object.freeze(data), json: `${json}],"pagination":${JSON.stringify(pagination)}}` };
  }

  private itemOf(row: object, toJson: (item: unknown) => string): Item {
    let item = this.items.get(row);
    if (!item) {
      const shown = this.toItem(row as never);
      this.items.set(row, (item = { shown, json: toJson(shown) }));
    }
    return item;
  }
}

interface Serialized {
  readonly data: readonly unknown[];
  readonly json: string;
}

/** Longer URLs are not remembered beside the page: their links hold each of them four times. */
const REMEMBERED_URL = 500;

/** Requests that ask alike may have written it differently: each gets the links of its own URL. */
function linksOf(shown: Shown, page: Page<unknown>, { request: { url } }: FastifyReply): string {
  if (shown.links?.url === url) return shown.links.header;
  const header = pageLinks(url, page.query.position, shown.body.pagination);
  if (url.length <= REMEMBERED_URL) shown.links = { url, header };
  return header;
}
