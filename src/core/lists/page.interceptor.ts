import { hash } from 'node:crypto';

import { CallHandler, ExecutionContext, Injectable, NestInterceptor } from '@nestjs/common';
import { FastifyReply } from 'fastify';
import { map, Observable } from 'rxjs';

import { isNotModified } from '../http/caching/validated.js';
import { Page, pageLinks, paginationOf } from './page.js';

declare module '../http/route-policy.js' {
  interface RoutePolicy {
    /** Makes what a response shows of a row; left out: the row itself. */
    map?: (row: never) => object;
  }
}

/**
 * Wraps the `Page` that a route returns in its envelope, with `Link`, `Cache-Control` and `ETag`; answers 304 if the
 * client's copy is current. What is no page is passed on.
 */
@Injectable()
export class PageInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next
      .handle()
      .pipe(map((result: unknown) => (isPage(result) ? envelopeOf(result, reply) : result)));
  }
}

const isPage = (result: unknown): result is Page<object> =>
  typeof result === 'object' && result !== null && 'rows' in result && 'query' in result;

/** The body of the response, whose headers are set; `undefined` with 304. */
function envelopeOf(page: Page<object>, reply: FastifyReply): object | undefined {
  const { policy, server, url } = reply.request;
  const show = policy?.map as ((row: object) => object) | undefined;
  const pagination = paginationOf(page, server.cursors);
  const body = { data: show ? page.rows.map(show) : page.rows, pagination };
  const etag = `"${hash('sha1', reply.serialize(body) as string, 'base64url')}"`;
  if (isNotModified(reply, { etag, lastModified: null })) return undefined;
  // A hook may have set a link already: to the successor of a deprecated version.
  const linked = reply.getHeader('link') as string | undefined;
  const links = pageLinks(url, pagination);
  void reply.header('link', linked ? `${linked}, ${links}` : links);
  return body;
}
