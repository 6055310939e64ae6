import {
  CallHandler,
  ConflictException,
  Controller,
  ExecutionContext,
  Get,
  Injectable,
  Module,
  NestInterceptor,
  StreamableFile,
} from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import type { FastifyReply } from 'fastify';
import { EMPTY, map, Observable, switchMap, tap } from 'rxjs';

type Change = (body: unknown, reply: FastifyReply) => unknown;

const fail = (error: unknown): never => {
  throw error;
};
const circular = (): object => {
  const body: Record<string, unknown> = {};
  return Object.assign(body, { body });
};

/** The changes that interceptors of teams make to a response, by the name that a request sends. */
export const CHANGES: Readonly<Record<string, Change>> = {
  logs: (body) => body,
  wraps: (data) => ({ success: true, data }),
  adds: (data) => ({ ...(data as object), extra: 'more' }),
  'returns a string': () => 'a text',
  'returns a number': () => 7,
  'returns a list': (data) => [data],
  'returns null': () => null,
  'returns nothing': () => undefined,
  'changes the status': (data, reply) => {
    void reply.code(202);
    return data;
  },
  'throws an error': () => fail(new Error('a bug of an interceptor')),
  'throws a string': () => fail('a bug of an interceptor'),
  'rejects later': () => Promise.reject(new TypeError('a bug of an interceptor')),
  'throws an exception': () => fail(new ConflictException('Somebody was faster.')),
  'returns a value that JSON cannot represent': () => ({ id: 1n }),
  'returns a circular object': circular,
  'ends without a value': () => EMPTY,
};

@Injectable()
class ChangingInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    const { headers } = reply.request;
    if (headers['x-first'] === 'status') void reply.code(202);
    const change = CHANGES[String(headers['x-change'])];
    if (!change) return next.handle();
    return next.handle().pipe(
      switchMap(async (body: unknown) => change(body, reply)),
      switchMap((body) => (body instanceof Observable ? (body as Observable<unknown>) : [body])),
    );
  }
}

/** The documented interceptor for logging, which changes nothing. */
@Injectable()
class LookingInterceptor implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(
      map((body: unknown) => body),
      tap((body) => seen.push(body)),
    );
  }
}

/** The responses that the inner interceptor received. */
export const seen: unknown[] = [];
export const isFile = (body: unknown): boolean => body instanceof StreamableFile;

@Controller({ path: 'plain', version: '1' })
class PlainController {
  @Get()
  get(): object {
    return { id: 7 };
  }
}

@Module({
  controllers: [PlainController],
  providers: [
    { provide: APP_INTERCEPTOR, useClass: ChangingInterceptor },
    { provide: APP_INTERCEPTOR, useClass: LookingInterceptor },
  ],
})
export class ChangingModule {}
