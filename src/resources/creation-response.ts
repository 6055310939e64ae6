import { FastifyReply, FastifyRequest } from 'fastify';

import { Connection } from '../database/connection.js';
import { Database } from '../database/database.js';
import { cacheControl } from '../http/caching/cache-policy.js';
import { claimOf } from './idempotency/claim.js';
import { IdempotencyStore } from './idempotency/idempotency-store.js';
import { assertNotHidden } from './idempotency/replay.js';
import { StoredResponse } from './idempotency/stored-response.js';
import { AssertCaller } from './resource.js';
import { Call } from './route-handler.js';
import { isRow, locationOf, RowResponse } from './row-response.js';

/** The parts of the service that POST routes need. */
export interface CreationServices {
  readonly store: IdempotencyStore;
  readonly database: Database;
}

/**
 * Turns the row that a POST created into its response, and makes the POST safe to repeat with an `Idempotency-Key`: the
 * method runs in a transaction with its stored response, or not at all where the request was answered before. It may
 * run again from the start. Its parameters, the body among them, are read before the transaction begins.
 */
export class CreationResponse extends RowResponse {
  /**
   * @param assertCaller what else must be true of the caller: when the method runs, and before a stored response is
   *   given again
   */
  constructor(
    representation: string,
    show: ((row: never) => object) | undefined,
    private readonly assertCaller: AssertCaller | undefined,
    private readonly services: CreationServices,
  ) {
    super(representation, show);
  }

  override async respond(call: Call, reply: FastifyReply, body: unknown): Promise<unknown> {
    const { request } = reply;
    if (request.headers['idempotency-key'] !== undefined) return this.once(call, reply, body);
    const { database } = this.services;
    if (!this.assertCaller) return this.of(await call(database), reply);
    const work = async (transaction: Connection): Promise<unknown> => {
      await this.admit(request, body, transaction);
      return call(transaction);
    };
    return this.of(await database.transaction(work), reply);
  }

  /** @throws ApiError `INVALID_IDEMPOTENCY_KEY`, `IDEMPOTENCY_KEY_IN_USE`, `IDEMPOTENCY_KEY_REUSED` */
  private async once(call: Call, reply: FastifyReply, body: unknown): Promise<unknown> {
    const { request } = reply;
    const claim = claimOf(request);
    if (!claim) throw new Error('a request without an Idempotency-Key');
    const admit = (transaction: Connection): Promise<void> => this.admit(request, body, transaction);
    const work = async (transaction: Connection): Promise<StoredResponse> => {
      await admit(transaction);
      return this.created(await call(transaction), reply);
    };
    const { answer, isReplay } = await this.services.store.once(claim, work, admit);
    if (isReplay) assertNotHidden(request, answer);
    void reply.code(answer.status).headers(answer.headers);
    if (isReplay) void reply.header('idempotency-replayed', 'true');
    return JSON.parse(answer.json) as object;
  }

  private async admit({ principal }: FastifyRequest, body: unknown, transaction: Connection): Promise<void> {
    await this.assertCaller?.(principal, transaction, body as object);
  }

  /** The response to the request that created a row, as data: it can be stored, and given again. */
  private created(result: unknown, reply: FastifyReply): StoredResponse {
    const { policy } = reply.request;
    if (!isRow(result))
      throw new Error(`${policy?.route ?? ''}: a POST with an Idempotency-Key returned no row`);
    const { etag, lastModified } = this.validatorsOf(result);
    return {
      status: reply.statusCode,
      headers: {
        etag,
        'last-modified': lastModified,
        'cache-control': cacheControl(reply.request),
        ...(reply.statusCode === 201 && { location: locationOf(result, reply) }),
      },
      json: reply.serialize(this.bodyOf(result)) as string,
    };
  }
}
