import { FindOptionsWhere } from 'typeorm';

import { AccessScope } from '../access/access-scope.js';
import { registerRows } from '../access/row-limits.js';
import { SqlExecutor } from '../database/sql-executor.js';
import { violatedConstraint } from '../database/database-error.js';
import { Database } from '../database/database.js';
import { RowReader } from '../database/row-reader.js';
import { EntityTable } from '../database/entity-table.js';
import {
  compareStatement,
  deleteStatement,
  insertStatement,
  lockStatement,
  updateStatement,
} from '../database/write-sql.js';
import { WritePreconditions, UNCONDITIONAL } from '../http/caching/preconditions.js';
import { hasMergePatch, mergeJson } from '../fields/merge-patch.js';
import { ApiError } from '../http/errors/api-error.js';
import { Facets, readFacets } from '../lists/facets.js';
import { ParsedListQuery } from '../lists/list-query.js';
import { listStatement } from '../lists/list-statement.js';
import { isAsyncIterable, Page } from '../lists/page.js';
import { readPage } from '../lists/read-page.js';
import { FoundRow, matchesKey, parentsIn } from './found-row.js';
import { missingReferenceError } from './missing-reference.js';
import { Key, StoredResource, VersionedRow } from './resource.js';
import { assertPreconditions, idFromKey, retryOnRace, toRowKey } from './row-key.js';
import { outdatedCaller, RowRules } from './row-rules.js';
import { uniqueFaults } from './unique-values.js';

/**
 * Provides the reads, lists and writes of a resource, so that a feature contains only its own special SQL. Each write
 * is one statement that also checks the preconditions and the access scope, so no other request can change the row
 * between the check and the write.
 *
 * Methods that find a row require the access scope of the caller. For a row outside the scope, they throw
 * `PERMISSION_DENIED` or the resource's 404. Pass `EVERYTHING` for work of the service itself, never for a caller.
 *
 * Do not use it for a table whose entity does not extend `ResourceEntity`, such as a join table. Use TypeORM's
 * `Database.manager` there.
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
  private readonly rules = new RowRules(this.table, this.metadata, this.resource);

  constructor(
    protected readonly database: Database,
    protected readonly resource: StoredResource<Row>,
  ) {
    registerRows(resource);
  }

  /**
   * Returns the row of a key, or `null`. Outside a transaction, look-ups at the same time share a statement.
   * @param db the transaction to read in, if any
   * @throws ApiError `PERMISSION_DENIED` if the caller is allowed to know about the row, but not to perform the action
   */
  async find(key: Key<Row>, scope: AccessScope, db?: SqlExecutor): Promise<Row | null> {
    this.rules.assertScope(scope);
    const found = await this.read(key, scope, db);
    return found && matchesKey(found, key, scope) ? found.row : null;
  }

  /**
   * Returns the row of a key.
   * @throws ApiError the resource's 404 or `PERMISSION_DENIED`
   */
  async get(key: Key<Row>, scope: AccessScope, db?: SqlExecutor): Promise<Row> {
    return (await this.find(key, scope, db)) ?? this.throwNotFound(idFromKey(key));
  }

  /**
   * Returns a page of the list or, for an export, all rows of the list. An export never runs in the transaction `db`.
   */
  async list(query: ParsedListQuery, db?: SqlExecutor): Promise<Page<Row>> {
    this.rules.assertScope(query.scope);
    if (query.position.style === 'all')
      return { query, rows: this.database.stream<Row>(listStatement(this.table, query)) };
    return readPage(this.table, query, this.isTransaction(db) ? db : this.database.reader);
  }

  /** Returns the facets of a list: for each declared property, how often each value occurs, or the range of its values. */
  async facets(query: ParsedListQuery): Promise<Facets> {
    this.rules.assertScope(query.scope);
    return readFacets(this.table, query, this.database.reader);
  }

  /**
   * Returns a page of the rows that belong to a parent, such as the reviews of a product. The query must already be
   * limited to the parent. If the page is empty, this method checks that the parent exists.
   * @param key the id of the parent, and other values that it must have
   * @throws ApiError the parent's 404 if it does not exist, or if the caller may not know about it
   */
  async listByParent<Parent extends VersionedRow>(
    parent: StoredResource<Parent>,
    key: FindOptionsWhere<Parent> & { readonly id: number },
    query: ParsedListQuery,
  ): Promise<Page<Row>> {
    const page = await this.list(query);
    if (!isAsyncIterable(page.rows) && page.rows.length > 0) return page;
    // If grants or ownership limit the list, the caller may know about the parent only if they may read at least one of
    // the rows that belong to it.
    const { anyOf, limit, coversLimit } = query.scope ?? {};
    if (anyOf && !(limit && coversLimit)) {
      const position = { style: 'cursor', after: null } as const;
      const anyRow = { ...query, conditions: [], position, limit: 1 };
      const { rows } = await readPage(this.table, anyRow, this.database.reader);
      if (rows.length === 0) throw new ApiError(parent.notFound);
    } else if (!(await this.rules.hasParent(parent, key, query.scope, this.database)))
      this.throwNotFound(key.id, parent.notFound);
    return page;
  }

  /**
   * Inserts a row, and returns it with its computed fields.
   * @param scope the access scope of the caller, or `EVERYTHING` for work of the service itself. It is required if the
   *   resource has `rows`. The new row gets the values of the scope
   * @throws ApiError the error that the resource declares for a violated constraint. If the row lies outside of the scope,
   *   the error is the same as for a reference to a row that does not exist
   */
  async insert(values: Partial<Row>, db: SqlExecutor = this.database, scope?: AccessScope): Promise<Row> {
    this.rules.assertScope(scope);
    const row = scope ? this.rules.completeNewRow(values, scope) : values;
    const guard = scope && this.rules.guardInsert(row, scope);
    const [inserted] = await this.withConstraintErrors(
      db.query<Row>(insertStatement(this.table, row, guard)),
      row,
    );
    if (!inserted) throw outdatedCaller();
    return this.withComputedFields(inserted, db);
  }

  /**
   * Changes properties of a row if the preconditions hold. The JSON of a PATCH is merged. If no value differs, `version`
   * and `updatedAt` stay the same. Computed fields are read again in the same transaction.
   * @returns the row after the change
   * @throws ApiError `PRECONDITION_FAILED`, `PERMISSION_DENIED`, the resource's 404, or the error of a violated constraint
   */
  async update(
    key: Key<Row>,
    changes: Partial<Row>,
    scope: AccessScope,
    conditions: WritePreconditions = UNCONDITIONAL,
    db: SqlExecutor = this.database,
  ): Promise<Row> {
    if (Object.keys(changes).length === 0)
      return assertPreconditions(await this.get(key, scope, db), conditions);
    const isMerge = hasMergePatch(changes);
    if (db === this.database && (this.table.hasComputedFields || isMerge))
      return db.transaction((tx) => this.update(key, changes, scope, conditions, tx));
    if (isMerge) {
      const merged = mergeJson(this.resource.entity, await this.lock(key, scope, db, conditions), changes);
      return this.update(key, merged, scope, conditions, db);
    }
    const attempts = this.rules.guardUpdate(toRowKey(key), changes, scope);
    return retryOnRace(this.table.name, key, async () => {
      for (const { key: ofRow, within } of attempts) {
        const update = ofRow && updateStatement(this.table, ofRow, within, changes, conditions);
        const [changed] = update ? await this.withConstraintErrors(db.query<Row>(update), changes) : [];
        if (changed) return this.withComputedFields(changed, db);
      }
      // The statement changed no row. Read the row to find out the reason.
      await this.rules.assertCurrentUser(scope, db);
      const comparison = compareStatement(this.table, toRowKey(key), changes);
      const [row] = await db.query<Row & { isUnchanged?: boolean }>(comparison);
      const found = row && (await this.rules.findWithParents(toRowKey(key), scope, db));
      if (!found || !matchesKey(found, key, scope)) return this.throwNotFound(idFromKey(key));
      if (found.row.version !== row.version) return undefined;
      const { isUnchanged } = row;
      delete row.isUnchanged;
      assertPreconditions(row, conditions);
      await this.rules.assertKept(row, attempts, db);
      return isUnchanged ? row : undefined;
    });
  }

  /**
   * Deletes a row if the preconditions hold. It always runs in a transaction, because the database may also delete rows
   * that refer to this one. If the deletion of such a row conflicts with another transaction, the whole deletion is
   * repeated.
   * @throws ApiError `PRECONDITION_FAILED`, `PERMISSION_DENIED`, the resource's 404, or the error of a violated
   *   constraint
   */
  async remove(
    key: Key<Row>,
    scope: AccessScope,
    conditions: WritePreconditions = UNCONDITIONAL,
    db: SqlExecutor = this.database,
  ): Promise<void> {
    const statement = deleteStatement(this.table, toRowKey(key), this.rules.guardWrite(scope), conditions);
    await db.transaction((tx) =>
      retryOnRace(this.table.name, key, async () => {
        const [removed] = await this.withConstraintErrors(tx.query(statement));
        if (removed) return removed;
        await this.rules.assertCurrentUser(scope, tx);
        assertPreconditions(await this.get(key, scope, tx), conditions);
        return undefined;
      }),
    );
  }

  /**
   * Locks a row until the end of the transaction, so that no other request changes it. Use it if a write depends on
   * values that `update()` cannot check in its statement.
   * @returns the row without its computed fields
   * @throws ApiError `PRECONDITION_FAILED`, `PERMISSION_DENIED`, or the resource's 404
   */
  lock(
    key: Key<Row>,
    scope: AccessScope,
    tx: SqlExecutor,
    conditions: WritePreconditions = UNCONDITIONAL,
  ): Promise<Row> {
    return retryOnRace(this.table.name, key, async () => {
      const statement = lockStatement(this.table, toRowKey(key), this.rules.guardWrite(scope));
      const [row] = await tx.query<Row>(statement);
      if (!row) await this.rules.assertCurrentUser(scope, tx);
      assertPreconditions(row ?? (await this.get(key, scope, tx)), conditions);
      return row;
    });
  }

  private async read(
    key: Key<Row>,
    scope: AccessScope,
    db: SqlExecutor | undefined,
  ): Promise<FoundRow<Row> | undefined> {
    const tx = this.isTransaction(db) ? db : undefined;
    const { reader } = this.database;
    if (parentsIn(scope).length > 0) return this.rules.findWithParents(toRowKey(key), scope, tx ?? reader);
    const row = await (tx ? this.rows.findUnbatched(key, tx) : this.rows.find(key, reader));
    return row && { row };
  }

  /**
   * Returns the SQL condition that a row is in the scope of a caller, for a query of your own. The query must call the table
   * by its name.
   * @param values the values of the statement, to which those of the condition are added
   * @example const text = `select count(*) from tickets where ${this.scopeSql(scope, values)}`;
   */
  protected scopeSql(scope: AccessScope, values: unknown[]): string {
    return this.rules.scopeSql(scope, values);
  }

  /** Whether reads must use this transaction. Other reads may use a replica. */
  private isTransaction(db: SqlExecutor | undefined): db is SqlExecutor {
    return db !== undefined && db !== this.database;
  }

  private throwNotFound(id: number, type = this.resource.notFound): never {
    throw new ApiError(type, id > 0 ? `${type.summary} (id ${id})` : undefined);
  }

  /**
   * Turns a violated constraint into the error that the resource declares for it. Call it for SQL statements that you
   * write yourself.
   * @param written the values that the statement writes, to find out which field refers to a missing row
   */
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

  /** Takes a row that was just written, and returns it with its computed fields. */
  protected async withComputedFields(written: Row, db: SqlExecutor): Promise<Row> {
    if (!this.table.hasComputedFields) return written;
    return (await this.rows.findUnbatched(this.keyFor(written), db)) ?? this.throwNotFound(written.id);
  }

  /** Returns the key by which a row is read after a write. Override it if statements must name more than the id. */
  protected keyFor(written: Row): Key<Row> {
    return written.id;
  }
}
