import { CallHandler, ExecutionContext, Injectable, NestInterceptor } from '@nestjs/common';
import { FastifyReply } from 'fastify';
import { map, Observable } from 'rxjs';

import { applyValidators } from '../http/caching/preconditions.js';
import { buildEntityTag, isTagged, toResponse } from '../lists/row-response.js';

/**
 * Sets `ETag`, `Last-Modified`, `Cache-Control`, and `Location` with 201, of the row that a route returns; answers 304 if
 * the client's copy is current. What is no row is passed on.
 * @example @UseInterceptors(RowInterceptor)
 */
@Injectable()
export class RowInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(map((result: unknown) => respondWithRow(result, reply)));
  }
}

/** The body of the response to a row, whose headers are set; `undefined` with 304. */
export function respondWithRow(result: unknown, reply: FastifyReply): unknown {
  if (!isTagged(result)) return result;
  const { policy = {}, url } = reply.request;
  const etag = buildEntityTag(result, policy);
  if (applyValidators(reply, { etag, lastModified: new Date(result.updatedAt).toUTCString() }))
    return undefined;
  if (reply.statusCode === 201)
    void reply.header('location', `${url.split('?', 1)[0] as string}/${result.id}`);
  return toResponse(result, policy);
}
