import { CallHandler, ExecutionContext, Injectable, NestInterceptor } from '@nestjs/common';
import { FastifyReply } from 'fastify';
import { map, Observable } from 'rxjs';

import { isNotModified, rowEntityTag, taggedResource } from '../http/caching/preconditions.js';
import '../lists/page.interceptor.js';
import { VersionedRow } from './resource.js';

export type Shown = Pick<VersionedRow, 'version' | 'updatedAt'> & { readonly id: number | string };

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
  if (isNotModified(reply, validatorsOf(result, reply))) return undefined;
  if (reply.statusCode === 201) void reply.header('location', locationOf(result, reply));
  return bodyOf(result, reply);
}

export function isRow(result: unknown): result is Shown {
  return typeof result === 'object' && result !== null && typeof (result as Shown).version === 'number';
}

export function validatorsOf(
  { id, version, updatedAt }: Shown,
  { request }: FastifyReply,
): { etag: string; lastModified: string } {
  const resource = taggedResource(request.policy?.representation ?? '', id);
  return { etag: rowEntityTag(resource, version), lastModified: new Date(updatedAt).toUTCString() };
}

export const bodyOf = (row: Shown, { request }: FastifyReply): object => request.policy?.map?.(row) ?? row;

/** The path of a created row, under the collection that it was posted to. */
export function locationOf({ id }: Shown, { request }: FastifyReply): string {
  return `${request.url.split('?', 1)[0] as string}/${id}`;
}
