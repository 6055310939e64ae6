import { CallHandler, ExecutionContext, Injectable, NestInterceptor } from '@nestjs/common';
import { FastifyReply } from 'fastify';
import { map, Observable } from 'rxjs';

import { isNotModified, rowEntityTag, taggedResource } from '../http/caching/preconditions.js';
import { RoutePolicy } from '../http/route-policy.js';
import '../lists/page.interceptor.js';
import { VersionedRow } from './resource.js';

type Row = Omit<VersionedRow, 'id'> & {
  readonly id: number | string;
  /** Tells apart what is shown of one version of a row, where that depends on more than the row: `-current`. */
  readonly variant?: string;
};

/** Sets `ETag`, `Last-Modified`, `Cache-Control`, and `Location` with 201, of the row that a route returns, or 304. */
@Injectable()
export class RowInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(map((result: unknown) => responseTo(result, reply)));
  }
}

/** The body of the response to a row, whose headers are set; `undefined` with 304. */
export function responseTo(result: unknown, reply: FastifyReply): unknown {
  if (!isRow(result)) return result;
  const { id, updatedAt } = result;
  const { policy, url } = reply.request;
  const etag = entityTagOf(result, policy);
  if (isNotModified(reply, { etag, lastModified: new Date(updatedAt).toUTCString() })) return undefined;
  // Under the collection that it was posted to.
  if (reply.statusCode === 201) void reply.header('location', `${url.split('?', 1)[0] as string}/${id}`);
  return policy?.map?.(result) ?? result;
}

export const entityTagOf = ({ id, version, variant }: Row, policy: RoutePolicy | undefined): string =>
  rowEntityTag(taggedResource(policy?.representation ?? '', id), version, variant);

export const isRow = (result: unknown): result is Row =>
  typeof result === 'object' && result !== null && typeof (result as Row).version === 'number';
