import { FastifyRequest } from 'fastify';

import { findSingleRoutePolicy, SingleRoute, findRequestScope } from '../../access/access.hook.js';
import { Caller } from '../../access/caller.js';
import { EVERYTHING } from '../../access/access-scope.js';
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

/** A route whose work an operation does. */
export interface BatchedRoute extends SingleRoute {
  readonly dto: Dto<{ readonly id?: number; readonly ifMatch?: string; readonly body?: object }>;
  readonly permission: Permission;
}

/** Carries out the operations of a batch: a `ResourceService`, or an object with the same methods. */
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

/** Rejects, when compiling, a service whose methods have no parameter for the transaction and would write outside it. */
type InTransaction<Service> = {
  [M in keyof Service & keyof BatchService]?: Service[M] extends (...args: infer Args) => unknown
    ? Required<Args>['length'] extends { create: 2 | 3; patch: 5; remove: 4 }[M]
      ? Service[M]
      : 'takes the transaction as its last parameter'
    : Service[M];
};

/** The result of one operation, as a single request would get it. */
export interface OperationResult extends Partial<ErrorBody> {
  readonly status: number;
  readonly etag?: string;
  readonly location?: string;
  readonly body?: unknown;
}

/** The results of the operations of a batch, in their order. */
export interface BatchResults {
  readonly results: readonly OperationResult[];
}

/** The most error details for one operation. All details of a large batch would delay other requests. */
const MAX_DETAILS = 10;

export class BatchOperations {
  constructor(private readonly request: FastifyRequest) {}

  /**
   * Carries out the operations in the transaction of the request, each as its route in the controller does.
   * @returns the result of each operation
   * @throws ApiError the first error of an atomic batch, or any error of the server
   */
  async run<Service extends BatchService>(service: Service & InTransaction<Service>): Promise<BatchResults> {
    const { context, policy, body } = this.request;
    const tx = context.transaction;
    if (!tx || !policy?.batchDto) throw new Error('@Batch() needs a POST of a @Resource()');
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

  /** Asserts that the caller of a repeated request still may do what the operations did. */
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

  /** Returns the route of an operation, and the caller with the access scope of that route. @throws ApiError `PERMISSION_DENIED` */
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

  /** Locks the rows in the order of their ids, so that batches in different orders wait and do not deadlock. */
  private async lockInOrder(operations: readonly JsonObject[], tx: SqlExecutor): Promise<void> {
    const { resource } = this.request.policy ?? {};
    if (!resource) return;
    const { tableName } = tx.manager.dataSource.getMetadata(resource.entity);
    const rows = equalsAnySql('"id"', '$1', 'bigint');
    // Other transactions may hold key-share locks on rows to keep them from deletion. A weaker lock would not wait for them.
    const strength = operations.some(({ method }) => method === 'delete') ? 'update' : 'no key update';
    const text = `select 1 from "${tableName}" where ${rows} order by "id" for ${strength}`;
    const ids = operations.filter((operation) => this.isVisible(operation)).map(({ id }) => id);
    // The first statement begins the transaction, which fails if the `Idempotency-Key` is in use: not the fault of an operation.
    await tx.query(prepared(text, [ids]));
  }

  private isVisible(operation: JsonObject): boolean {
    const { id } = operation;
    if (!Number.isInteger(id)) return false;
    try {
      return this.authorizeOperation(operation).caller.scope === EVERYTHING;
    } catch {
      return false;
    }
  }
}

/** Replaces an integer that cannot be an id, so that the operation gets 404, as a request with that path does. */
function withValidId(operation: JsonObject): JsonObject {
  const { id } = operation;
  const isOfNone = Number.isInteger(id) && (Number(id) < 1 || Number(id) > MAX_ID);
  return isOfNone ? { ...operation, id: NO_SUCH_ID } : operation;
}

/** @throws Error if the service lacks the method of an operation */
function assertSupports(service: BatchService, method: string): void {
  const name = { POST: 'create', PATCH: 'patch', DELETE: 'remove' }[method] as keyof BatchService;
  if (!service[name])
    throw new Error(`the batch has ${method} operations: its service needs the method ${name}()`);
}

/** Rethrows a validation error of an operation, with the names that the fields have in its body. */
function rethrowWithoutBodyPrefix(error: unknown): never {
  if (!(error instanceof ApiError)) throw error;
  throw faultError(
    error.type,
    (error.details ?? []).map((detail) => ({ ...detail, field: detail.field.replace(/^body\./, '') })),
  );
}

/** Adds the position of an operation to its error. */
function errorAtOperation(
  { type, message, details = [], headers, cause }: ApiError,
  index: number,
): ApiError {
  const place = `operations.${index}`;
  if (details.length === 0) return new ApiError(type, `${place}: ${message}`, { headers, cause });
  const placed = details.map((one) => ({ ...one, field: [place, one.field].filter(Boolean).join('.') }));
  return faultError(type, placed);
}
