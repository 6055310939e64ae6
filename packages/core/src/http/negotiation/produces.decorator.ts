import {
  applyDecorators,
  CallHandler,
  ExecutionContext,
  NestInterceptor,
  StreamableFile,
  UseInterceptors,
} from '@nestjs/common';
import { FastifyReply, FastifyRequest } from 'fastify';
import { Observable, tap } from 'rxjs';

import { createRequestDecorator } from '../../routes/request.js';
import { RoutePolicy, routePolicy } from '../../routes/route-policy.js';
import { chooseMediaType, JSON_TYPE, vendorMediaType } from './media-types.js';

/**
 * Declares the media types of a route that responds with something other than JSON, or with a choice of types. The
 * response has the type that `Accept` prefers as its `Content-Type`; a 406 lists the types; the OpenAPI document shows
 * them. Errors stay JSON. Leave it out on a route that only responds with JSON.
 *
 * If a route with several types returns a `StreamableFile` with a `type`, the response has the type of the file. It must
 * be one of the declared types.
 * @example @Produces('text/csv')
 * @param types media types without parameters, the preferred one first
 * @throws Error if a type is not a media type
 */
export function Produces(...types: readonly string[]): MethodDecorator {
  for (const type of types)
    if (!/^[a-z]+\/[a-z0-9.+-]+$/.test(type)) throw new Error(`@Produces(): ${type} is not a media type`);
  const policy = routePolicy({ produces: types });
  return types.length > 1 ? applyDecorators(policy, UseInterceptors(FileTypeInterceptor)) : policy;
}

/**
 * The media type that `Accept` chose, on a route with several.
 * @example list(@ProducedType() type: string) { return type === 'text/csv' ? toCsv(rows) : rows; }
 */
export const ProducedType = createRequestDecorator(negotiateType);

/** The media types that a route offers. Returns `undefined` if the route declares none: it may send a file or a stream. */
export function offeredTypes({ success, produces, apiVersion }: RoutePolicy): readonly string[] | undefined {
  const types = produces ?? (success && apiVersion !== undefined ? [JSON_TYPE] : undefined);
  if (apiVersion === undefined || !types?.includes(JSON_TYPE)) return types;
  return [vendorMediaType(apiVersion), ...types];
}

/** The media type that a request gets from those that its route offers. The vendor type of its version counts as JSON. */
export function negotiateType({ policy = {}, headers }: FastifyRequest): string | undefined {
  const type = chooseMediaType(headers.accept, offeredTypes(policy) ?? []);
  return type?.startsWith('application/vnd.') && !policy.produces?.includes(type) ? JSON_TYPE : type;
}

/** Sets the media type of a response. Adds the charset to text. */
export function setMediaType(reply: FastifyReply, type: string): void {
  void reply.type(/^text\/[^;]*$/.test(type) ? `${type}; charset=utf-8` : type);
}

/**
 * Gives a response the media type of the file that the handler returns. The handler has chosen one of the types of its
 * route. The adapter cannot do this, because NestJS turns generators into files, of a type that it guesses.
 */
export class FileTypeInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(tap((body) => body instanceof StreamableFile && setFileType(reply, body)));
  }
}

/** @throws Error if the route does not declare the type of the file */
function setFileType(reply: FastifyReply, file: StreamableFile): void {
  const { type } = file.options;
  const { produces = [], handler } = reply.request.policy ?? {};
  if (type === undefined) return;
  if (!produces.includes(type.split(';', 1)[0] as string)) {
    file.getStream().destroy();
    throw new Error(
      `${handler}: the type of the file must be one of ${produces.join(', ')}, which @Produces() declares (got ${type})`,
    );
  }
  setMediaType(reply, type);
}
