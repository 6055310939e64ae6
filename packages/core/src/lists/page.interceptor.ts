import { hash } from 'node:crypto';

import { CallHandler, ExecutionContext, Injectable, NestInterceptor } from '@nestjs/common';
import { FastifyReply } from 'fastify';
import { from, lastValueFrom, map, Observable } from 'rxjs';

import { Database } from '../database/database.js';
import { applyValidators } from '../http/caching/preconditions.js';
import { setLink } from '../http/headers.js';
import { CSV_TYPE } from '../http/negotiation/media-types.js';
import { negotiateType } from '../http/negotiation/produces.decorator.js';
import { streamCsv } from './csv.js';
import { CursorCodec } from './cursor.js';
import { Page } from './list-query.js';
import { rawQueryOf } from './query-string.js';
import { serializeBody, toResponse } from './row-response.js';

declare module 'fastify' {
  interface FastifyInstance {
    cursors: CursorCodec;
  }
}

/**
 * Wraps the `Page` that a route returns in its envelope, with `Link`, `Cache-Control` and `ETag`; answers 304 if the
 * client's copy is current. What is no page is passed on. Where `Accept` prefers CSV, all of the list is sent.
 * @example @UseInterceptors(PageInterceptor)
 */
@Injectable()
export class PageInterceptor implements NestInterceptor {
  constructor(private readonly database: Database) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    const { request } = reply;
    if (request.policy?.list && negotiateType(request) === CSV_TYPE) {
      return from(streamCsv(reply, this.database, () => lastValueFrom(next.handle())));
    }
    return next.handle().pipe(
      map((result: unknown) => {
        if (isPage(result)) return buildEnvelope(result, reply);
        return request.policy?.success?.kind === 'facets'
          ? bodyUnlessNotModified(result as object, reply)
          : result;
      }),
    );
  }
}

const isPage = (result: unknown): result is Page<object> =>
  typeof result === 'object' && result !== null && 'rows' in result && 'query' in result;

/** The body of the response, whose headers are set; `undefined` with 304. */
function buildEnvelope(page: Page<object>, reply: FastifyReply): object | undefined {
  const { policy = {}, server, url } = reply.request;
  const pagination = buildPagination(page, server.cursors);
  const body = { data: page.rows.map((row) => toResponse(row, policy)), pagination };
  if (!bodyUnlessNotModified(body, reply)) return undefined;
  // A hook may have set a link already: to the successor of a deprecated version.
  const linked = reply.getHeader('link') as string | undefined;
  const links = pageLinks(url, pagination);
  const next = links.filter((link) => link.endsWith(NEXT_RELATION));
  setLink(reply, [...(linked ? [linked] : []), ...links].join(', '), next.join(''));
  return body;
}

/** A body whose entity tag is set; `undefined` with 304. */
function bodyUnlessNotModified<Body extends object>(body: Body, reply: FastifyReply): Body | undefined {
  const etag = `"${hash('sha1', serializeBody(body, reply), 'base64url')}"`;
  return applyValidators(reply, { etag, lastModified: null }) ? undefined : body;
}

export type Pagination =
  | { page: number; limit: number; total: number; totalPages: number }
  | { nextCursor: string | null; hasMore: boolean };

function buildPagination({ query, total = 0, next }: Page<unknown>, cursors: CursorCodec): Pagination {
  const { limit, cursorScopeDigest, position } = query;
  if (position.style === 'offset')
    return { page: position.page, limit, total, totalPages: Math.ceil(total / limit) };
  return { nextCursor: next ? cursors.encode(cursorScopeDigest, next) : null, hasMore: Boolean(next) };
}

const NEXT_RELATION = 'rel="next"';

/** The links of a page (RFC 8288), with the parameters of its URL but `page` and `cursor`. */
export function pageLinks(url: string, pagination: Pagination): string[] {
  // Encoded anew: what a URL may hold beside, such as `>`, would end the link.
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
