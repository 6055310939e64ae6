import { setImmediate as nextTurn } from 'node:timers/promises';

import { FastifyRequest } from 'fastify';

import { combinedPolicy, CombinedRoute, visibilityOn } from '../../access/access.hook.js';
import { Caller } from '../../access/caller.js';
import { EVERYTHING } from '../../access/visibility.js';
import { Permission } from '../../config/define-access.js';
import { Connection, statementName } from '../../database/connection.js';
import { translateDatabaseError } from '../../database/database-error.js';
import { isAnyOf } from '../../database/table.js';
import { Transaction } from '../../database/transaction.js';
import { bodyError, faultError } from '../../fields/faults.js';
import { Dto } from '../../fields/field.js';
import { Json } from '../../fields/shape.js';
import { readDto } from '../../fields/validation.pipe.js';
import { Preconditions, preconditionsOf, taggedResource } from '../../http/caching/preconditions.js';
import { ApiError, ErrorBody } from '../../http/errors/api-error.js';
import {
  toApiError,
  translateFrameworkError,
  translateHttpException,
} from '../../http/errors/foreign-errors.js';
import { RoutePolicy } from '../../http/route-policy.js';
import { entityTagOf, isTagged, shownOf } from '../../lists/shown-row.js';
import { OperationDto } from './batch-dtos.js';

/** A route that an operation stands for. */
export interface BatchedRoute extends CombinedRoute {
  /** The class of the operation. */
  readonly dto: Dto<OperationDto>;
  readonly permission: Permission;
}

declare module '../../http/route-policy.js' {
  interface RoutePolicy {
    /** The routes whose work batches can ask for, by the method of the operation. */
    batch?: ReadonlyMap<string, BatchedRoute>;
    batchDto?: Dto;
  }
}

/** What carries out operations: a `ResourceService`, or functions that give one more of the path. */
export interface BatchService {
  create?(values: object, tx: Connection, caller: Caller): Promise<object>;
  patch?(
    id: number,
    changes: object,
    caller: Caller,
    preconditions: Preconditions,
    tx: Connection,
  ): Promise<object>;
  remove?(id: number, caller: Caller, preconditions: Preconditions, tx: Connection): Promise<unknown>;
}

/** Refuses a service that leaves out the transaction, and would write outside of it. */
type InTransaction<Service> = {
  [M in keyof Service & keyof BatchService]?: Service[M] extends (...args: infer Args) => unknown
    ? Required<Args>['length'] extends { create: 2 | 3; patch: 5; remove: 4 }[M]
      ? Service[M]
      : 'takes the transaction as its last parameter'
    : Service[M];
};

/** What an operation is answered with alone. */
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

/** An operation that can be done, or why it cannot. */
type Operation =
  | { readonly error: unknown }
  | {
      /** Of a row that nothing hides from the caller; else 0. */
      readonly rowId: number;
      readonly work: (service: BatchService, tx: Connection) => Promise<OperationResult>;
    };

/** How long the reading of bodies may keep others waiting. */
const TURN_MS = 5;

const TRANSLATORS = [translateDatabaseError, translateHttpException, translateFrameworkError];

/** The operations of a request. */
export class Batch {
  constructor(private readonly request: FastifyRequest) {}

  /**
   * Carries out the operations in the transaction of the request, each as the route of the controller does that it
   * stands for. If they are atomic, the first fault is thrown; else each has its own result. A fault of the server ends
   * both.
   */
  async run<Service extends BatchService>(service: Service & InTransaction<Service>): Promise<BatchResults> {
    const { transaction: tx, policy, body } = this.request;
    if (!(tx instanceof Transaction) || !policy?.batchDto)
      throw new Error('@Batch() belongs on a POST of a @Resource()');
    const batch = await readDto(policy.batchDto, body, 'body');
    const { atomic, operations } = batch as { atomic: boolean; operations: readonly Json[] };
    const read = await this.readAll(operations);
    await this.lockInOrder(read, tx);
    const results: OperationResult[] = [];
    for (const [index, operation] of read.entries()) {
      try {
        if ('error' in operation) throw operation.error;
        const work = (): Promise<OperationResult> => operation.work(service, tx);
        results.push(await (atomic ? work() : tx.savepoint(work)));
      } catch (error) {
        const known = toApiError(error, TRANSLATORS);
        if (known.status >= 500) throw error;
        if (atomic) throw located(known, index);
        results.push({ status: known.status, ...known.toBody() });
      }
    }
    return { results };
  }

  /** Asserts that the caller of a repeated request may still do what was done. */
  static assertReplay(request: FastifyRequest, results: readonly OperationResult[]): void {
    const { operations } = request.body as { operations: readonly Json[] };
    for (const [index, { status }] of results.entries())
      if (status < 400) new Batch(request).access(operations[index] ?? {});
  }

  private async readAll(operations: readonly Json[]): Promise<Operation[]> {
    const read: Operation[] = [];
    let since = performance.now();
    for (const operation of operations) {
      read.push(await this.read(operation).catch((error: unknown) => ({ error })));
      if (performance.now() - since < TURN_MS) continue;
      await nextTurn();
      since = performance.now();
    }
    return read;
  }

  private async read(operation: Json): Promise<Operation> {
    const { caller, policy, route } = this.access(operation);
    const { id = 0, ifMatch, body = {} } = await readDto(route.dto, operation, 'body').catch(withoutBody);
    const headers = ifMatch === undefined ? {} : { 'if-match': ifMatch };
    const conditions = preconditionsOf(headers, taggedResource(policy.representation ?? '', id));
    return {
      rowId: caller.visibility === EVERYTHING ? id : 0,
      work: async (service, tx) => {
        if (route.method === 'POST') return this.resultOf(await service.create?.(body, tx, caller), policy);
        return route.method === 'PATCH'
          ? this.resultOf(await service.patch?.(id, body, caller, conditions, tx), policy)
          : this.resultOf(await service.remove?.(id, caller, conditions, tx), policy);
      },
    };
  }

  /** The route that an operation stands for, and its caller there. @throws ApiError `PERMISSION_DENIED` */
  private access({ method, id }: Json): { route: BatchedRoute; policy: RoutePolicy; caller: Caller } {
    const { request } = this;
    const { principal, grants, ip } = request;
    const routes = request.policy?.batch ?? new Map<string, BatchedRoute>();
    const route = routes.get(String(method));
    if (!route || !principal) {
      const message = `takes one of ${[...routes.keys()].join(', ')}`;
      throw bodyError([{ field: 'method', code: 'NOT_ALLOWED', message }]);
    }
    const policy = combinedPolicy(request, route);
    const ofRow = route.path && { [route.path.slice(2)]: String(id) };
    const params = { ...(request.params as Record<string, string>), ...(ofRow || {}) };
    const visibility = visibilityOn(request, policy, route.method, params);
    return { route, policy, caller: new Caller(principal, visibility, policy.grants ?? [], grants, ip) };
  }

  private resultOf(result: unknown, policy: RoutePolicy): OperationResult {
    const { status = 200 } = policy.answers ?? {};
    if (!isTagged(result)) return { status };
    const { url } = this.request;
    const collection = url.slice(0, url.split('?', 1)[0]?.lastIndexOf('/'));
    return {
      status,
      etag: entityTagOf(result, policy),
      ...(status === 201 && { location: `${collection}/${result.id}` }),
      body: shownOf(result, policy),
    };
  }

  /** Locks rows in the order of their ids: batches in other orders wait, and do not block each other. */
  private async lockInOrder(operations: readonly Operation[], tx: Connection): Promise<void> {
    const { resource } = this.request.policy ?? {};
    const doable = operations.filter((operation) => 'work' in operation);
    if (doable.length === 0 || !resource) return;
    const { tableName } = tx.manager.dataSource.getMetadata(resource.entity);
    const rows = isAnyOf('"id"', '$1', 'bigint');
    const text = `select 1 from "${tableName}" where ${rows} order by "id" for no key update`;
    // What the first statement meets is not of an operation: an `Idempotency-Key` that is taken.
    await tx.query({ text, values: [doable.map(({ rowId }) => rowId)], name: statementName(text) });
  }
}

/** The error for an operation whose faults are those of its body, by the names that they have there. */
function withoutBody(error: unknown): never {
  if (!(error instanceof ApiError)) throw error;
  throw faultError(
    error.type,
    (error.details ?? []).map((detail) => ({ ...detail, field: detail.field.replace(/^body\./, '') })),
  );
}

/** An error that says which operation it is of. */
function located({ type, message, details = [], headers, cause }: ApiError, index: number): ApiError {
  const place = `operations.${index}`;
  if (details.length === 0) return new ApiError(type, `${place}: ${message}`, { headers, cause });
  const placed = details.map((one) => ({ ...one, field: [place, one.field].filter(Boolean).join('.') }));
  return faultError(type, placed);
}
