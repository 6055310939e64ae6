import { hash } from 'node:crypto';

import { CallHandler, ExecutionContext, Injectable, NestInterceptor } from '@nestjs/common';
import { FastifyReply } from 'fastify';
import { map, mergeMap, Observable } from 'rxjs';

import { applyValidators } from '../http/caching/preconditions.js';
import { setLink } from '../http/headers.js';
import { CursorCodec } from './cursor.js';
import { isExport, sendCsv } from './export.js';
import { isPage, LoadedPage } from './page.js';
import { rawQueryOf } from './query-string.js';
import { serializeBody, toResponse } from './row-response.js';

declare module 'fastify' {
  interface FastifyInstance {
    cursors: CursorCodec;
  }
}

/**
 * Turns the `Page` that a handler returns into a response with the envelope `{ data, pagination }` and the headers
 * `Link`, `Cache-Control` and `ETag`, or into 304 if the client's copy is current. If the client prefers CSV, the
 * response contains all rows of the list. A result that is not a page is passed on unchanged.
 *
 * `@Resource()` adds this interceptor to each route with `@ListQuery()`. In other controllers, add it yourself.
 * @example
 * @Get()
 * @UseInterceptors(PageInterceptor)
 * list(@ListQuery(productList) query: ListQuery): Promise<Page<Product>> { return this.products.list(query); }
 */
@Injectable()
export class PageInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    const { request } = reply;
    if (isExport(request)) return next.handle().pipe(mergeMap((result) => sendCsv(result, reply)));
    return next.handle().pipe(
      map((result: unknown) => {
        if (isPage(result)) return buildEnvelope(result as LoadedPage<object>, reply);
        return request.policy?.success?.kind === 'facets'
          ? bodyUnlessNotModified(result as object, reply)
          : result;
      }),
    );
  }
}

/** Sets the headers of a page. @returns the body, or `undefined` for a 304 */
function buildEnvelope(page: LoadedPage<object>, reply: FastifyReply): object | undefined {
  const { policy = {}, server, url } = reply.request;
  const pagination = buildPagination(page, server.cursors);
  const body = { data: page.rows.map((row) => toResponse(row, policy)), pagination };
  if (!bodyUnlessNotModified(body, reply)) return undefined;
  // If the version of the API is deprecated, a hook has already set a link to its successor.
  const linked = reply.getHeader('link') as string | undefined;
  const links = pageLinks(url, pagination);
  const next = links.filter((link) => link.endsWith(NEXT_RELATION));
  setLink(reply, [...(linked ? [linked] : []), ...links].join(', '), next.join(''));
  return body;
}

/** Sets the entity tag of a body. @returns the body, or `undefined` for a 304 */
function bodyUnlessNotModified<Body extends object>(body: Body, reply: FastifyReply): Body | undefined {
  const etag = `"${hash('sha1', serializeBody(body, reply), 'base64url')}"`;
  return applyValidators(reply, { etag, lastModified: null }) ? undefined : body;
}

export type Pagination =
  | { page: number; limit: number; total: number; totalPages: number }
  | { nextCursor: string | null; hasMore: boolean };

function buildPagination({ query, total = 0, next }: LoadedPage<unknown>, cursors: CursorCodec): Pagination {
  const { limit, cursorScopeDigest, position } = query;
  if (position.style === 'offset')
    return { page: position.page, limit, total, totalPages: Math.ceil(total / limit) };
  return { nextCursor: next ? cursors.encode(cursorScopeDigest, next) : null, hasMore: Boolean(next) };
}

const NEXT_RELATION = 'rel="next"';

/** Returns the links of a page (RFC 8288). They keep all parameters of the URL except `page` and `cursor`. */
export function pageLinks(url: string, pagination: Pagination): string[] {
  // The parameters are encoded again, because a URL may contain `>`, which would end the link.
  const others = new URLSearchParams(rawQueryOf(url));
  others.delete('page');
  others.delete('cursor');
  const base = `${url.split('?', 1)[0] as string}?${others.size > 0 ? `${others.toString()}&` : ''}`;
  const links: string[] = [];
  const link = (relation: 'first' | 'prev' | 'next' | 'last', parameter: string): void => {
    links.push(`<${base}${parameter}>; rel="${relation}"`);
  };
  if ('nextCursor' in pagination) {
    link('first', 'cursor=');
    if (pagination.nextCursor !== null) link('next', `cursor=${pagination.nextCursor}`);
  } else {
    const { page } = pagination;
    const last = Math.max(pagination.totalPages, 1);
    link('first', 'page=1');
    if (page > 1) link('prev', `page=${Math.min(page - 1, last)}`);
    if (page < last) link('next', `page=${page + 1}`);
    link('last', `page=${last}`);
  }
  return links;
}
