import { createParamDecorator, ExecutionContext, Injectable, PipeTransform } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import { FastifyReply, FastifyRequest } from 'fastify';

import { Connection } from '../../database/connection.js';
import { Database } from '../../database/database.js';
import { Answer } from '../../http/answer.js';
import { AnswerData, KeptAnswer } from '../../http/kept-answer.js';
import { routePolicy } from '../../http/route-policy.js';
import { Representation } from '../representation.js';
import { claimOf } from './claim.js';
import { IDEMPOTENCY_KEY } from './idempotency-key.header.js';
import { IdempotencyStore } from './idempotency-store.js';
import { ADMIT_ALL, assertNotHidden } from './replay.js';

/**
 * Runs what creates a resource: in a transaction with its stored answer where the request has an `Idempotency-Key`,
 * or not at all where it was answered before. `create` does all it does on the connection that it is given, and may
 * be run again from the start.
 *
 * `admit` asserts what `create` asserts of the caller, beyond what the route declares. It runs in place of `create`
 * before a stored answer is given again: the caller may have lost the permission since. Nobody else needs it.
 */
export type Once = (
  create: (on: Connection) => Promise<Representation<object>>,
  admit?: (on: Connection) => Promise<void>,
) => Promise<Answer>;

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

@Injectable()
class OncePipe implements PipeTransform<Exchange, Once> {
  constructor(
    private readonly store: IdempotencyStore,
    private readonly database: Database,
  ) {}

  transform({ request, reply }: Exchange): Once {
    const claim = claimOf(request);
    if (!claim) return (create) => create(this.database);
    return async (create, admit = ADMIT_ALL) => {
      const work = async (on: Connection): Promise<AnswerData> => (await create(on)).created(reply);
      const { answer, isReplay } = await this.store.once(claim, work, admit);
      if (isReplay) assertNotHidden(request, answer);
      return new KeptAnswer(answer, isReplay);
    };
  }
}

const exchange = createParamDecorator((_: undefined, context: ExecutionContext): Exchange => {
  const http = context.switchToHttp();
  return { request: http.getRequest<FastifyRequest>(), reply: http.getResponse<FastifyReply>() };
});

/**
 * Makes a POST safe to repeat with an `Idempotency-Key`.
 *
 * @throws ApiError `INVALID_IDEMPOTENCY_KEY`, `IDEMPOTENCY_KEY_IN_USE`, `IDEMPOTENCY_KEY_REUSED`
 * @example create(@Payload(CreateProductDto, ProductDto) body: CreateProductDto, @Idempotent() once: Once) {
 *   return once(async (on) => productOf(await this.products.create(body, on)));
 * }
 */
export function Idempotent(): ParameterDecorator {
  return (target, method, index) => {
    if (method === undefined) throw new Error('@Idempotent() belongs on a parameter of a route');
    exchange(OncePipe)(target, method, index);
    const descriptor = Object.getOwnPropertyDescriptor(target, method) as PropertyDescriptor;
    routePolicy({ isIdempotent: true })(target, method, descriptor);
    ApiHeader(IDEMPOTENCY_KEY)(target, method, descriptor);
  };
}
