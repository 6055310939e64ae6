import { FastifyRequest } from 'fastify';

import { findSingleRoutePolicy, SingleRoute, findRequestScope } from '../../access/access.hook.js';
import { Caller } from '../../access/caller.js';
import { limitsRows } from '../../database/row-filter.js';
import { Permission } from '../../config/define-access.js';
import { prepared, SqlExecutor } from '../../database/sql-executor.js';
import { translateDatabaseError } from '../../database/database-error.js';
import { equalsAnySql } from '../../database/entity-table.js';
import { bodyError, faultError } from '../../fields/faults.js';
import { Dto } from '../../fields/field.js';
import { MAX_ID } from '../../fields/fields.js';
import { NO_SUCH_ID } from '../../fields/parse-id.pipe.js';
import { JsonObject } from '../../fields/dto-schema.js';
import { readDto } from '../../fields/validation.pipe.js';
import { WritePreconditions, readPreconditions, entityTagPrefix } from '../../http/caching/preconditions.js';
import { ApiError, ErrorBody } from '../../http/errors/api-error.js';
import { toApiError } from '../../http/errors/to-api-error.js';
import { RoutePolicy } from '../../routes/route-policy.js';
import { buildEntityTag, isTagged, toResponse } from '../../lists/row-response.js';

/** A route that corresponds to an operation of a batch. */
export interface BatchedRoute extends SingleRoute {
  readonly dto: Dto<{ readonly id?: number; readonly ifMatch?: string; readonly body?: object }>;
  readonly permission: Permission;
}

/** A service that performs the operations of a batch: a `ResourceService`, or an object with some of its methods. */
export interface BatchService {
  create?(values: object, tx: SqlExecutor, caller: Caller): Promise<object>;
  patch?(
    id: number,
    changes: object,
    caller: Caller,
    preconditions: WritePreconditions,
    tx: SqlExecutor,
  ): Promise<object>;
  remove?(id: number, caller: Caller, preconditions: WritePreconditions, tx: SqlExecutor): Promise<unknown>;
}

/**
 * Makes the compiler reject a service whose methods have no parameter for the transaction. Such methods would write
 * outside of the transaction.
 */
type InTransaction<Service> = {
  [M in keyof Service & keyof BatchService]?: Service[M] extends (...args: infer Args) => unknown
    ? Required<Args>['length'] extends { create: 2 | 3; patch: 5; remove: 4 }[M]
      ? Service[M]
      : 'must have the transaction as its last parameter'
    : Service[M];
};

/** The result of one operation. It contains what the response to a single request would contain. */
export interface OperationResult extends Partial<ErrorBody> {
  readonly status: number;
  readonly etag?: string;
  readonly location?: string;
  readonly body?: unknown;
}

/**
 * The results of a batch, one for each operation in the order of the request. A route with `@Batch()` returns it.
 * @example batch(@Batch() batch: Batch): Promise<BatchResults> { return batch.run(this.products); }
 */
export interface BatchResults {
  readonly results: readonly OperationResult[];
}

/**
 * The maximum number of error details for one operation. If all details of a large batch were serialized, this would
 * block other requests.
 */
const MAX_DETAILS = 10;

/** The operations of a batch request. `@Batch()` passes it to a handler. */
export class BatchOperations {
  constructor(private readonly request: FastifyRequest) {}

  /**
   * Performs the operations in the transaction of the request.
   * @param service a `ResourceService`, or an object with those of its methods that the operations need
   * @returns the result of each operation
   * @throws ApiError the error of the first operation that fails, if the batch is atomic or the error has status 500 or
   *   higher
   */
  async run<Service extends BatchService>(service: Service & InTransaction<Service>): Promise<BatchResults> {
    const { context, policy, body } = this.request;
    const tx = context.transaction;
    if (!tx || !policy?.batchDto)
      throw new Error('@Batch() is only for a POST of a controller with @Resource()');
    const batch = await readDto(policy.batchDto, body, 'body');
    for (const { method } of policy.batch?.values() ?? []) assertSupports(service, method);
    const { atomic, operations: sent } = batch as { atomic: boolean; operations: readonly JsonObject[] };
    const operations = sent.map(withValidId);
    await this.lockInOrder(operations, tx);
    const results: OperationResult[] = [];
    for (const [index, operation] of operations.entries()) {
      try {
        const work = (): Promise<OperationResult> => this.execute(operation, service, tx);
        results.push(await (atomic ? work() : tx.manager.transaction(work)));
      } catch (error) {
        const known = toApiError(error, translateDatabaseError);
        if (known.status >= 500) throw error;
        if (atomic) throw errorAtOperation(known, index);
        const { error: shown } = known.toBody();
        const details = shown.details?.slice(0, MAX_DETAILS);
        results.push({ status: known.status, error: { ...shown, ...(details && { details }) } });
      }
    }
    return { results };
  }

  /** Asserts that the caller of a repeated request still has permission for each operation that succeeded. */
  static assertReplay(request: FastifyRequest, results: readonly OperationResult[]): void {
    const { operations } = request.body as { operations: readonly JsonObject[] };
    for (const [index, { status }] of results.entries())
      if (status < 400) new BatchOperations(request).authorizeOperation(operations[index] ?? {});
  }

  private async execute(
    operation: JsonObject,
    service: BatchService,
    tx: SqlExecutor,
  ): Promise<OperationResult> {
    const { caller, policy, route } = this.authorizeOperation(operation);
    const {
      id = 0,
      ifMatch,
      body = {},
    } = await readDto(route.dto, operation, 'body').catch(rethrowWithoutBodyPrefix);
    const headers = ifMatch === undefined ? {} : { 'if-match': ifMatch };
    const conditions = readPreconditions(headers, entityTagPrefix(policy.schemaHash ?? '', id));
    let done: unknown;
    if (route.method === 'POST') done = await service.create?.(body, tx, caller);
    else if (route.method === 'PATCH') done = await service.patch?.(id, body, caller, conditions, tx);
    else await service.remove?.(id, caller, conditions, tx);
    const { status = 200 } = policy.success ?? {};
    if (!isTagged(done)) return { status };
    const { url } = this.request;
    const collection = url.slice(0, url.split('?', 1)[0]?.lastIndexOf('/'));
    return {
      status,
      etag: buildEntityTag(done, policy),
      ...(status === 201 && { location: `${collection}/${done.id}` }),
      body: toResponse(done, policy),
    };
  }

  /**
   * Returns the route of an operation, and the caller with the access scope of that route.
   * @throws ApiError `PERMISSION_DENIED`, or 400 or 422 if the method is missing or unknown
   */
  private authorizeOperation({ method, id }: JsonObject): {
    route: BatchedRoute;
    policy: RoutePolicy;
    caller: Caller;
  } {
    const { request } = this;
    const { principal, grants } = request.context;
    const routes = request.policy?.batch ?? new Map<string, BatchedRoute>();
    const route = typeof method === 'string' ? routes.get(method) : undefined;
    if (!route || !principal) {
      const code =
        method === undefined ? 'REQUIRED' : typeof method === 'string' ? 'NOT_ALLOWED' : 'WRONG_TYPE';
      throw bodyError([
        { field: 'method', code, message: `must be one of ${[...routes.keys()].join(', ')}` },
      ]);
    }
    const policy = findSingleRoutePolicy(request, route);
    const ofRow = route.path && { [route.path.slice(2)]: String(id) };
    const params = { ...(request.params as Record<string, string>), ...(ofRow || {}) };
    const scope = findRequestScope(request, policy, route.method, params);
    return {
      route,
      policy,
      caller: new Caller(principal, scope, policy.grants ?? [], grants, request.ip),
    };
  }

  /**
   * Locks the rows by ascending id. If two batches contain the same rows in different orders, one batch then waits for
   * the other, and they cannot deadlock.
   */
  private async lockInOrder(operations: readonly JsonObject[], tx: SqlExecutor): Promise<void> {
    const { resource } = this.request.policy ?? {};
    if (!resource) return;
    const { tableName } = tx.manager.dataSource.getMetadata(resource.entity);
    const rows = equalsAnySql('"id"', '$1', 'bigint');
    // Other transactions may hold `for key share` locks, to prevent the deletion of a row. Only `for update` waits for
    // them.
    const strength = operations.some(({ method }) => method === 'delete') ? 'update' : 'no key update';
    const text = `select 1 from "${tableName}" where ${rows} order by "id" for ${strength}`;
    const ids = operations.filter((operation) => this.isVisible(operation)).map(({ id }) => id);
    // Run this statement even without ids, because the first statement of the transaction claims the `Idempotency-Key`.
    // If the key is in use, the whole batch fails. If the first statement were that of an operation, only this
    // operation would fail.
    await tx.query(prepared(text, [ids]));
  }

  /**
   * Whether the caller certainly sees the row of an operation: the operation has an id, and its access scope contains
   * all rows. Other rows are not locked, so that callers cannot block rows that they may not see.
   */
  private isVisible(operation: JsonObject): boolean {
    const { id } = operation;
    if (!Number.isInteger(id)) return false;
    try {
      return !limitsRows(this.authorizeOperation(operation).caller.scope);
    } catch {
      return false;
    }
  }
}

/**
 * Replaces an integer that cannot be an id by an id that no row has. The operation then gets 404, as a single request
 * does.
 */
function withValidId(operation: JsonObject): JsonObject {
  const { id } = operation;
  const isOfNone = Number.isInteger(id) && (Number(id) < 1 || Number(id) > MAX_ID);
  return isOfNone ? { ...operation, id: NO_SUCH_ID } : operation;
}

/** @throws Error if the service lacks the method of an operation */
function assertSupports(service: BatchService, method: string): void {
  const name = { POST: 'create', PATCH: 'patch', DELETE: 'remove' }[method] as keyof BatchService;
  if (!service[name])
    throw new Error(`the service of a batch with ${method} operations must have the method ${name}()`);
}

/** Rethrows a validation error with field names as in a single request: `price` instead of `body.price`. */
function rethrowWithoutBodyPrefix(error: unknown): never {
  if (!(error instanceof ApiError)) throw error;
  throw faultError(
    error.type,
    (error.details ?? []).map((detail) => ({ ...detail, field: detail.field.replace(/^body\./, '') })),
  );
}

/** Returns an error that also names the position of its operation: `operations.3.price`. */
function errorAtOperation(
  { type, message, details = [], headers, cause }: ApiError,
  index: number,
): ApiError {
  const place = `operations.${index}`;
  if (details.length === 0) return new ApiError(type, `${place}: ${message}`, { headers, cause });
  const placed = details.map((one) => ({ ...one, field: [place, one.field].filter(Boolean).join('.') }));
  return faultError(type, placed);
}
