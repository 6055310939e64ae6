import { CallHandler, ExecutionContext } from '@nestjs/common';
import { FastifyReply, FastifyRequest } from 'fastify';
import { lastValueFrom, Observable, of } from 'rxjs';

import { Connection } from '../database/connection.js';
import { Database } from '../database/database.js';
import { rememberJson } from '../http/answer.js';
import { cacheControl } from '../http/caching/cache-policy.js';
import { formatHttpDate } from '../http/caching/http-date.js';
import { AnswerData } from '../http/kept-answer.js';
import { BodyPipe } from './body.pipe.js';
import { claimOf } from './idempotency/claim.js';
import { IdempotencyStore } from './idempotency/idempotency-store.js';
import { ADMIT_ALL, assertNotHidden } from './idempotency/replay.js';
import { locationOf, RowInterceptor, Shown } from './row.interceptor.js';

/** What the interceptors of POST routes need of the service. */
export interface CreationServices {
  readonly store: IdempotencyStore;
  readonly database: Database;
}

/**
 * Turns the row that a POST created into its response, and makes the POST safe to repeat with an `Idempotency-Key`: the
 * handler runs in a transaction with its stored response, or not at all where the request was answered before. It may
 * run again from the start.
 */
export class CreationInterceptor extends RowInterceptor {
  constructor(
    representation: string,
    show: ((row: never) => object) | undefined,
    private readonly body: BodyPipe | undefined,
    private readonly services: CreationServices,
  ) {
    super(representation, show);
  }

  override intercept(
    context: ExecutionContext,
    next: CallHandler,
  ): Observable<unknown> | Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (request.headers['idempotency-key'] !== undefined) return this.once(context, next);
    request.transaction = this.services.database;
    return super.intercept(context, next);
  }

  /** @throws ApiError `INVALID_IDEMPOTENCY_KEY`, `IDEMPOTENCY_KEY_IN_USE`, `IDEMPOTENCY_KEY_REUSED` */
  private async once(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    // A bad body takes no connection.
    this.body?.readAhead(request.body);
    const claim = claimOf(request);
    if (!claim) throw new Error('a request without an Idempotency-Key');
    const work = async (transaction: Connection): Promise<AnswerData> => {
      request.transaction = transaction;
      return this.created((await lastValueFrom(next.handle())) as Shown, reply);
    };
    const { answer, isReplay } = await this.services.store.once(claim, work, ADMIT_ALL);
    if (isReplay) assertNotHidden(request, answer);
    void reply.code(answer.status).headers(answer.headers);
    if (isReplay) void reply.header('idempotency-replayed', 'true');
    const body = JSON.parse(answer.json) as object;
    rememberJson(body, answer.json);
    return of(body);
  }

  /** The response to the request that created a row, as data: it can be stored, and given again. */
  private created(row: Shown, reply: FastifyReply): AnswerData {
    const { etag, lastModified } = this.validatorsOf(row);
    return {
      status: reply.statusCode,
      headers: {
        etag,
        'last-modified': formatHttpDate(lastModified),
        'cache-control': cacheControl(reply.request),
        ...(reply.statusCode === 201 && { location: locationOf(row, reply) }),
      },
      json: reply.serialize(this.bodyOf(row)) as string,
    };
  }
}
