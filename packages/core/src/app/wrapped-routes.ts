import { Readable } from 'node:stream';

import { CallHandler, ExecutionContext, NestInterceptor, StreamableFile } from '@nestjs/common';
import { FastifyInstance, FastifyReply } from 'fastify';
import { map, Observable } from 'rxjs';

import { isSafeMethod } from '../http/methods.js';
import { JSON_TYPE } from '../http/negotiation/media-types.js';
import { FileTypeInterceptor } from '../http/negotiation/produces.decorator.js';
import { PageInterceptor } from '../lists/page.interceptor.js';
import { serializeBody } from '../lists/row-response.js';
import { IdempotencyInterceptor } from '../resources/idempotency/idempotency.interceptor.js';
import { RowInterceptor } from '../resources/row.interceptor.js';

/**
 * Applies the schema of a route to the value that the route returns. The application's interceptors run around this
 * one. They therefore receive exactly what a client would receive, and may change it.
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
  // Negotiation has set the type, but interceptors may return a body of another type.
  if (reply.getHeader('content-type') === JSON_TYPE) void reply.removeHeader('content-type');
  request.ownResponse = { status: reply.statusCode, headers: { ...reply.getHeaders() }, json };
  return json === null ? body : JSON.parse(json);
}

/**
 * Returns a file with the property `fileOf`, which identifies it even if an interceptor copies its properties. The
 * other properties are hidden, so that a serializer does not call the methods of the stream.
 */
function createMarkedFile(stream: Readable, fileOf: string): StreamableFile {
  const file = new StreamableFile(stream);
  for (const name of Object.keys(file)) Object.defineProperty(file, name, { enumerable: false });
  return Object.assign(file, { fileOf });
}

const OWN_RESPONSE_INTERCEPTOR = new OwnResponseInterceptor();
const BASE_INTERCEPTORS: readonly unknown[] = [
  FileTypeInterceptor,
  PageInterceptor,
  RowInterceptor,
  IdempotencyInterceptor,
];
const isBaseInterceptor = (interceptor: unknown): boolean => BASE_INTERCEPTORS.includes(interceptor);

/**
 * Returns the interceptors of a method in the order in which they run: those of the application,
 * `OwnResponseInterceptor`, those of the base. Returns `undefined` if the application has no interceptor on the route.
 * @param outer the interceptors of the class and the global ones
 */
export function orderInterceptors(own: readonly unknown[], outer: readonly unknown[]): unknown[] | undefined {
  const ofApplication = own.filter((each) => each !== OWN_RESPONSE_INTERCEPTOR && !isBaseInterceptor(each));
  if (ofApplication.length === 0 && outer.every(isBaseInterceptor)) return undefined;
  return [...ofApplication, OWN_RESPONSE_INTERCEPTOR, ...own.filter(isBaseInterceptor)];
}

/**
 * Handles an interceptor of the application that fails after the route has changed data. The client gets the response
 * of the route itself, because a client that gets an error would send the change again. The error is logged.
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
