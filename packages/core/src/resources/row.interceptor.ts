import { CallHandler, ExecutionContext, Injectable, NestInterceptor } from '@nestjs/common';
import { FastifyReply } from 'fastify';
import { map, Observable } from 'rxjs';

import { applyValidators } from '../http/caching/preconditions.js';
import { buildEntityTag, isTagged, toResponse } from '../lists/row-response.js';

/**
 * Avoids sending a row that the client already has. It sets `ETag`, `Last-Modified` and `Cache-Control` for the row
 * that a route returns, and responds with 304 if the client's copy is current. With 201 it also sets `Location`. A
 * result that is not a row of a `ResourceEntity` is passed on unchanged.
 *
 * Do not add it to a controller with `@Resource()`, because `@Resource()` itself adds it.
 * @example @UseInterceptors(RowInterceptor)
 */
@Injectable()
export class RowInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(map((result: unknown) => respondWithRow(result, reply)));
  }
}

/** Sets the headers for a row. @returns the body, or `undefined` for a 304 */
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
