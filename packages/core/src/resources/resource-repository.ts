import { EntityMetadata, FindOptionsWhere } from 'typeorm';

import { isInScope, AccessScope } from '../access/access-scope.js';
import { SqlExecutor } from '../database/sql-executor.js';
import { violatedConstraint } from '../database/database-error.js';
import { Database } from '../database/database.js';
import { RowReader } from '../database/batch-loader.js';
import { EntityTable } from '../database/entity-table.js';
import {
  compareStatement,
  deleteStatement,
  insertStatement,
  lockStatement,
  RowKey,
  updateStatement,
} from '../database/write-sql.js';
import {
  failedPrecondition,
  PRECONDITION_MESSAGES,
  WritePreconditions,
  UNCONDITIONAL,
} from '../http/caching/preconditions.js';
import { faultError } from '../fields/faults.js';
import { FieldClass, fieldsOf } from '../fields/field.js';
import { ApiError } from '../http/errors/api-error.js';
import { HttpErrors } from '../http/errors/http.errors.js';
import { Facets, readFacets } from '../lists/facets.js';
import { ParsedListQuery, Page } from '../lists/list-query.js';
import { readPage } from '../lists/list-statement.js';
import { Key, StoredResource, VersionedRow } from './resource.js';
import { uniqueFaults } from './unique-values.js';

/** A conditional write that lost more races than this is a bug. */
const MAX_RACES = 20;

/**
 * The queries that every resource has, over the table of its entity. What reads or writes a row takes the visibility
 * of its caller: a row outside it is refused with `PERMISSION_DENIED` or is not there. The service's own work has
 * `EVERYTHING`.
 * @example
 * @Injectable()
 * export class OrdersRepository extends ResourceRepository<Order> {
 *   constructor(database: Database) {
 *     super(database, ORDERS);
 *   }
 * }
 */
export class ResourceRepository<Row extends VersionedRow> {
  private readonly metadata = this.database.metadataOf(this.resource.entity);
  protected readonly table = new EntityTable(this.metadata);
  private readonly rows = new RowReader<Row>(this.table);

  constructor(
    protected readonly database: Database,
    private readonly resource: StoredResource<Row>,
  ) {}

  /** The row of a key, or `null`. Look-ups outside a transaction that come at the same time are one statement. */
  async find(key: Key<Row>, scope: AccessScope, db?: SqlExecutor): Promise<Row | null> {
    const id = idFromKey(key);
    const isOutside = db === undefined || db === this.database;
    const row = await (isOutside
      ? this.rows.find(id, this.database.reader)
      : this.rows.findUnbatched(id, db));
    return row && matchesKey(row, key, scope) ? row : null;
  }

  async get(key: Key<Row>, scope: AccessScope, on?: SqlExecutor): Promise<Row> {
    return (await this.find(key, scope, on)) ?? this.throwNotFound(idFromKey(key));
  }

  list(query: ParsedListQuery, on?: SqlExecutor): Promise<Page<Row>> {
    const isOutside = on === undefined || on === this.database;
    return readPage(this.table, query, isOutside ? this.database.reader : on);
  }

  /** What sums up the rows of a list, by the facets that it declares. */
  facets(query: ParsedListQuery): Promise<Facets> {
    return readFacets(this.table, query, this.database.reader);
  }

  /** A page of the rows under a parent. @throws ApiError the parent's 404 where the caller knows of none */
  async listByParent<Parent extends VersionedRow>(
    { entity, notFound }: StoredResource<Parent>,
    key: FindOptionsWhere<Parent> & { readonly id: number },
    query: ParsedListQuery,
  ): Promise<Page<Row>> {
    const page = await this.list(query);
    if (page.rows.length > 0) return page;
    // Grants or ownership limit the list to some rows: the caller knows of the parent if one of them is there.
    if (query.scope?.anyOf) {
      const position = { style: 'cursor', after: null } as const;
      const { nextRows: _, ...ofPages } = query;
      const { rows } = await this.list({ ...ofPages, conditions: [], position, limit: 1 });
      if (rows.length === 0) throw new ApiError(notFound);
    } else if (!(await this.database.manager.existsBy(entity, key))) this.throwNotFound(key.id, notFound);
    return page;
  }

  async insert(values: Partial<Row>, on: SqlExecutor = this.database): Promise<Row> {
    const [row] = await this.withConstraintErrors(on.query<Row>(insertStatement(this.table, values)), values);
    return this.withComputedFields(row as Row, on);
  }

  /**
   * Changes properties of a row if its preconditions hold. What would change nothing keeps version and time. What is
   * computed of it is read again, in the same transaction.
   */
  async update(
    key: Key<Row>,
    changes: Partial<Row>,
    scope: AccessScope,
    conditions: WritePreconditions = UNCONDITIONAL,
    on: SqlExecutor = this.database,
  ): Promise<Row> {
    if (Object.keys(changes).length === 0)
      return assertPreconditions(await this.get(key, scope, on), conditions);
    if (on === this.database && this.table.hasComputedFields)
      return on.transaction((transaction) => this.update(key, changes, scope, conditions, transaction));
    return this.retryOnRace(key, async () => {
      const update = updateStatement(this.table, toRowKey(key), scope, changes, conditions);
      const [changed] = await this.withConstraintErrors(on.query<Row>(update), changes);
      if (changed) return this.withComputedFields(changed, on);
      const comparison = compareStatement(this.table, idFromKey(key), changes);
      const [row] = await on.query<Row & { isUnchanged?: boolean }>(comparison);
      if (!row || !matchesKey(row, key, scope)) return this.throwNotFound(idFromKey(key));
      const { isUnchanged } = row;
      delete row.isUnchanged;
      assertPreconditions(row, conditions);
      return isUnchanged ? row : undefined;
    });
  }

  /** Removes a row if its preconditions hold, in a transaction: what is removed along may be in the way of others. */
  async remove(
    key: Key<Row>,
    scope: AccessScope,
    conditions: WritePreconditions = UNCONDITIONAL,
    on: SqlExecutor = this.database,
  ): Promise<void> {
    const statement = deleteStatement(this.table, toRowKey(key), scope, conditions);
    await on.transaction((transaction) =>
      this.retryOnRace(key, async () => {
        const [removed] = await this.withConstraintErrors(transaction.query(statement));
        if (!removed) assertPreconditions(await this.get(key, scope, transaction), conditions);
        return removed;
      }),
    );
  }

  /** Locks a row until the end of the transaction; what is computed of it is not read. */
  lock(
    key: Key<Row>,
    scope: AccessScope,
    tx: SqlExecutor,
    conditions: WritePreconditions = UNCONDITIONAL,
  ): Promise<Row> {
    return this.retryOnRace(key, async () => {
      const [row] = await tx.query<Row>(lockStatement(this.table, toRowKey(key), scope));
      assertPreconditions(row ?? (await this.get(key, scope, tx)), conditions);
      return row;
    });
  }

  private throwNotFound(id: number, type = this.resource.notFound): never {
    throw new ApiError(type, id > 0 ? `${type.summary} (id ${id})` : undefined);
  }

  /** Turns the violation of a constraint into the error that it stands for. @param written by the statement */
  protected async withConstraintErrors<T>(result: Promise<T>, written: Partial<Row> = {}): Promise<T> {
    try {
      return await result;
    } catch (error) {
      const constraint = violatedConstraint(error);
      const type = this.resource.constraints?.[constraint ?? ''];
      const details = uniqueFaults(this.metadata, constraint);
      if (type) throw new ApiError(type, type.summary, { cause: error, details });
      throw missingReferenceError(this.metadata, constraint, written) ?? error;
    }
  }

  protected async withComputedFields(written: Row, on: SqlExecutor): Promise<Row> {
    if (!this.table.hasComputedFields) return written;
    return (await this.rows.findUnbatched(written.id, on)) ?? this.throwNotFound(written.id);
  }

  /** Repeats a write whose row was changed between two statements, to something that the write allows as well. */
  private async retryOnRace<T>(key: Key<Row>, write: () => Promise<T | undefined>): Promise<T> {
    for (let race = 0; race < MAX_RACES; race++) {
      const result = await write();
      if (result !== undefined) return result;
    }
    throw new Error(
      `${this.table.name} ${idFromKey(key)} was changed under ${MAX_RACES} attempts to write it`,
    );
  }
}

const toRowKey = (key: Key<VersionedRow>): RowKey => (typeof key === 'object' ? { ...key } : { id: key });

const idFromKey = (key: Key<VersionedRow>): number => (typeof key === 'object' ? key.id : key);

const matchesKey = <Row extends VersionedRow>(row: Row, key: Key<Row>, scope: AccessScope): boolean =>
  Object.entries(toRowKey(key)).every(([property, value]) => row[property as keyof Row] === value) &&
  isInScope(scope, row);

/** A row that preconditions hold for. @throws ApiError `PRECONDITION_FAILED` */
function assertPreconditions<Row extends VersionedRow>(row: Row, conditions: WritePreconditions): Row {
  const { version, updatedAt } = row;
  const failed = failedPrecondition(conditions, { version, updatedAtMs: Date.parse(updatedAt) });
  if (!failed) return row;
  throw new ApiError(HttpErrors.PRECONDITION_FAILED, PRECONDITION_MESSAGES[failed]);
}

/** The error for a foreign key that a resource gives none: 422 where a field that clients write names a missing row. */
function missingReferenceError(
  { foreignKeys, target }: EntityMetadata,
  constraint: string | undefined,
  written: object,
): ApiError | undefined {
  const fields = fieldsOf(target as FieldClass);
  const properties = foreignKeys
    .filter(({ name }) => name === constraint)
    .flatMap(({ columns }) => columns.map(({ propertyName }) => propertyName))
    .filter((property) => property in written && fields.has(property))
    .filter((property) => fields.get(property)?.options.readOnly !== true);
  if (properties.length === 0) return undefined;
  const message = 'names nothing that is there';
  return faultError(
    HttpErrors.UNPROCESSABLE_ENTITY,
    properties.map((field) => ({ field, code: 'NOT_ALLOWED', message })),
  );
}
