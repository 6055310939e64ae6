import { Readable } from 'node:stream';

import { CallHandler, ExecutionContext, NestInterceptor, StreamableFile } from '@nestjs/common';
import { FastifyInstance, FastifyReply } from 'fastify';
import { map, Observable } from 'rxjs';

import { isSafeMethod } from '../http/methods.js';
import { JSON_TYPE } from '../http/negotiation/media-types.js';
import { PageInterceptor } from '../lists/page.interceptor.js';
import { serializeBody } from '../lists/row-response.js';
import { IdempotencyInterceptor } from '../resources/idempotency/idempotency.interceptor.js';
import { RowInterceptor } from '../resources/row.interceptor.js';

/**
 * Applies the schema of a route to the value that the route returns. The application's interceptors run outside of this
 * one, so they receive, and may change, exactly what the route shows.
 */
class OwnResponseInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(map((body: unknown) => buildOwnResponse(body, reply)));
  }
}

function buildOwnResponse(body: unknown, reply: FastifyReply): unknown {
  const { request } = reply;
  if (body instanceof Readable) return (request.routeFile = createMarkedFile(body, request.id));
  const isJson = typeof body === 'object' && body !== null && !(body instanceof StreamableFile);
  const json = isJson && !ArrayBuffer.isView(body) ? serializeBody(body, reply) : null;
  // Negotiation has set the type, but what interceptors return may have another one.
  if (reply.getHeader('content-type') === JSON_TYPE) void reply.removeHeader('content-type');
  request.ownResponse = { status: reply.statusCode, headers: { ...reply.getHeaders() }, json };
  return json === null ? body : JSON.parse(json);
}

/**
 * Returns a file that can be recognized even if an interceptor copies its properties, by `fileOf`. The other properties are
 * hidden, so that nothing that serializes objects calls the methods of the stream.
 */
function createMarkedFile(stream: Readable, fileOf: string): StreamableFile {
  const file = new StreamableFile(stream);
  for (const name of Object.keys(file)) Object.defineProperty(file, name, { enumerable: false });
  return Object.assign(file, { fileOf });
}

const OWN_RESPONSE_INTERCEPTOR = new OwnResponseInterceptor();
const BASE_INTERCEPTORS: readonly unknown[] = [PageInterceptor, RowInterceptor, IdempotencyInterceptor];
const isBaseInterceptor = (interceptor: unknown): boolean => BASE_INTERCEPTORS.includes(interceptor);

/**
 * Returns the interceptors of a method with `OwnResponseInterceptor` between those of the application and those of the
 * base; `undefined` if the application has none on the route.
 * @param outer the interceptors of the class and the global ones
 */
export function orderInterceptors(own: readonly unknown[], outer: readonly unknown[]): unknown[] | undefined {
  const ofApplication = own.filter((each) => each !== OWN_RESPONSE_INTERCEPTOR && !isBaseInterceptor(each));
  if (ofApplication.length === 0 && outer.every(isBaseInterceptor)) return undefined;
  return [...ofApplication, OWN_RESPONSE_INTERCEPTOR, ...own.filter(isBaseInterceptor)];
}

/**
 * Sends the response of the route itself if the route has written and one of the application's interceptors fails
 * afterwards, because a client that receives an error would write again. The error is in the log.
 */
export function registerWrappedRoutes(server: FastifyInstance): void {
  server.addHook('onSend', ({ ownResponse, method }, reply, payload, done) => {
    if (!ownResponse || reply.statusCode < 500 || isSafeMethod(method)) {
      done(null, payload);
      return;
    }
    const { status, headers, json } = ownResponse;
    for (const name of Object.keys(reply.getHeaders())) void reply.removeHeader(name);
    void reply.code(status).headers(headers);
    if (json !== null) void reply.type(JSON_TYPE);
    done(null, json);
  });
}
