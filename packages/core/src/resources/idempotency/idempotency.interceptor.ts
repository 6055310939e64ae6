import { CallHandler, ExecutionContext, Injectable, NestInterceptor } from '@nestjs/common';
import { FastifyReply, FastifyRequest } from 'fastify';
import { lastValueFrom, Observable, of } from 'rxjs';

import { permissionDeniedByGrant } from '../../access/access.errors.js';
import { SqlExecutor } from '../../database/sql-executor.js';
import { Database } from '../../database/database.js';
import { SingleStatement } from '../../database/single-statement.js';
import { cacheControl } from '../../http/caching/cache-policy.js';
import { RoutePolicy, routePolicy } from '../../routes/route-policy.js';
import { serializeBody } from '../../lists/row-response.js';
import { BatchOperations, BatchResults } from '../batch/batch.js';
import { respondWithRow } from '../row.interceptor.js';
import { readClaim } from './idempotency-claim.js';
import { IdempotencyStore, StoredResponse } from './idempotency-store.js';

/**
 * Runs a check before a client gets the stored response of a repeated POST. The service does not run for a repeated
 * request. A check that the service makes in the database, for example whether the caller is still an administrator,
 * would therefore be skipped.
 *
 * Do not use it for permissions and grants that decorators declare. They are checked for every request.
 * @param assert receives the principal, the transaction and the body, and throws if the caller may not repeat the
 *   request
 * @example
 * @Post()
 * @BeforeReplay(assertManagesUsers)
 * create(@Body() body: CreateGrantDto, @Transaction() tx: Transaction): Promise<GrantEntity> { … }
 */
export const BeforeReplay = (assert: NonNullable<RoutePolicy['assertBeforeReplay']>): MethodDecorator =>
  routePolicy({ assertBeforeReplay: assert });

/**
 * Runs a POST in a transaction, or as a single statement if the route declares it and no key is sent. If the
 * request has an `Idempotency-Key`, the response is stored in the same transaction. A repeated request gets the stored response. `@Resource()` adds this interceptor to every POST.
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(
    private readonly store: IdempotencyStore,
    private readonly database: Database,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    const { request } = reply;
    const run = async (transaction: SqlExecutor): Promise<unknown> => {
      request.context.transaction = transaction;
      return respondWithRow(await lastValueFrom(next.handle()), reply);
    };
    const claim = readClaim(request);
    if (!claim && request.policy?.isSingleStatement) return of(await run(new SingleStatement(this.database)));
    if (!claim) return of(await this.database.transaction(run));
    const { answer, isReplay } = await this.store.runIdempotent(
      claim,
      async (transaction) => buildStoredResponse(await run(transaction), reply),
      async (transaction) => {
        const { policy, context, body } = request;
        await policy?.assertBeforeReplay?.(context.principal, transaction, body as object);
      },
    );
    const shown = JSON.parse(answer.json) as unknown;
    if (isReplay) {
      const results = request.policy?.batch ? (shown as BatchResults).results : [];
      if (results.length > 0) BatchOperations.assertReplay(request, results);
      assertNotHidden(request, [answer.headers, ...results]);
      void reply.header('idempotency-replayed', 'true');
    }
    void reply.code(answer.status).headers(answer.headers);
    return of(shown);
  }
}

const STORED_HEADERS = ['etag', 'last-modified', 'cache-control', 'location'];

function buildStoredResponse(body: unknown, reply: FastifyReply): StoredResponse {
  void reply.header('cache-control', cacheControl(reply.request));
  const json = serializeBody(body ?? null, reply);
  const sent = Object.entries(reply.getHeaders() as Record<string, string>);
  const headers = Object.fromEntries(sent.filter(([name]) => STORED_HEADERS.includes(name)));
  return { status: reply.statusCode, headers, json };
}

/**
 * Asserts that no grant hides a resource whose creation the stored response reports.
 * @throws ApiError `PERMISSION_DENIED`
 */
function assertNotHidden(
  { policy, context }: FastifyRequest,
  created: readonly { readonly location?: string }[],
): void {
  const link = policy?.grants?.find(({ property }) => property === 'id');
  const hidden = link && context.grants.deniedIds(link.type, 'read');
  if (created.some(({ location }) => hidden?.has(Number(location?.split('/').at(-1)))))
    throw permissionDeniedByGrant('read');
}
