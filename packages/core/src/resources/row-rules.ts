import { EntityMetadata, FindOptionsWhere } from 'typeorm';

import { INVALID_TOKEN, permissionDenied } from '../access/access.errors.js';
import { AccessScope, EVERYTHING } from '../access/access-scope.js';
import { GrantSource } from '../access/grant-sources.js';
import { findReferableRows } from '../access/resolve-scope.js';
import { ATTRIBUTES } from '../config/define-access.js';
import {
  canLimit,
  findLimitedResource,
  findUserEntity,
  grantSourcesOf,
  LimitedResource,
  nameOf,
  noAttributes,
  parentProperties,
} from '../access/row-limits.js';
import { Database } from '../database/database.js';
import { QueryExecutor, SqlExecutor } from '../database/sql-executor.js';
import { EntityTable } from '../database/entity-table.js';
import {
  AddParameter,
  Alternatives,
  isParentCondition,
  isSelected,
  parentConditions,
  RowCondition,
  rowFilterSql,
} from '../database/row-filter.js';
import { currentUserStatement, ReferableRows, WriteGuard, WritingUser } from '../database/write-guard.js';
import { ColumnValues, findStatement, RowKey, WriteScope } from '../database/write-sql.js';
import { faultError } from '../fields/faults.js';
import { FieldClass, fieldNameFor } from '../fields/field.js';
import { ApiError } from '../http/errors/api-error.js';
import { HttpErrors } from '../http/errors/http.errors.js';
import { FoundRow, parentsIn } from './found-row.js';
import { assertRequiredValues } from './required-properties.js';
import { StoredResource, VersionedRow } from './resource.js';

/** The conditions of one UPDATE. */
export interface UpdateAttempt {
  /** Values that the row must already have. */
  readonly kept: ColumnValues;
  readonly within: WriteScope;
  /** The key of the row with the values that it must have, or `undefined` if no row has all of them. */
  readonly key: RowKey | undefined;
}

/** Ids of rows in other tables are integers. */
const INTEGER = /^(?:bigint|integer|int|smallint)$/;

/** Applies `rows` of resources to the reads and writes of a repository. Without `rows`, its methods do nothing. */
export class RowRules<Row extends object> {
  private readonly isLimited = canLimit.bind(null, this.resource.rows);
  private references: ReadonlyMap<string, LimitedResource> | undefined;

  constructor(
    private readonly table: EntityTable,
    private readonly metadata: EntityMetadata,
    private readonly resource: StoredResource<Row>,
  ) {
    if (ATTRIBUTES.length > 0 && !resource.rows && resource.entity !== findUserEntity())
      throw new Error(
        `${nameOf(resource)}: must declare \`rows\`, because defineAccess() declares attributes`,
      );
  }

  /**
   * @param scope the scope, or `undefined` if none was passed
   * @throws Error for a scope of another resource, whose conditions do not fit the rows, and for a missing scope
   */
  assertScope(scope: Partial<AccessScope> | undefined): void {
    if (scope === EVERYTHING || scope?.rows === this.resource.rows) return;
    const name = nameOf(this.resource);
    if (scope ? canLimit(scope.rows) || this.isLimited() : this.isLimited())
      throw new Error(
        `${name}: must be read and written with a scope of this resource (${scope ? 'got the scope of another one' : 'got none'}): pass caller.scope, caller.scopeOf() or EVERYTHING`,
      );
  }

  /** Returns the condition that a row of the table is in a scope. Adds its values to those of the statement. */
  scopeSql(scope: AccessScope, values: unknown[]): string {
    this.assertScope(scope);
    const add: AddParameter = (value, type) => `$${values.push(value)}::${type}`;
    return `(${rowFilterSql(this.table, scope, add).conditions.join(' and ') || 'true'})`;
  }

  /**
   * Reads a row together with the conditions of a scope on its parents that it matches. One statement reads both: if a parent
   * moved between two, the caller would see the row as it was before it concerned them.
   */
  async findWithParents(
    key: RowKey,
    scope: AccessScope,
    db: QueryExecutor,
  ): Promise<FoundRow<Row> | undefined> {
    const conditions = parentsIn(scope);
    const [row] = await db.query<Row & Record<string, unknown>>(findStatement(this.table, key, conditions));
    if (!row) return undefined;
    const parents = new Set(conditions.filter((_condition, i) => row[`matches${i}`] === true));
    for (const i of conditions.keys()) delete row[`matches${i}`];
    return { row, parents };
  }

  /** Whether a parent exists, and concerns the caller. */
  async hasParent<Parent extends VersionedRow>(
    parent: StoredResource<Parent>,
    key: FindOptionsWhere<Parent> & { readonly id: number },
    scope: Partial<AccessScope> | undefined,
    database: Database,
  ): Promise<boolean> {
    const exists = await database.manager.existsBy(parent.entity, key);
    if (!exists || !scope || !parent.rows) return exists;
    const rows = findReferableRows(parent, scope as AccessScope);
    return isSelected(this.table.tableOf(parent.entity), rows, key.id, database.reader);
  }

  /**
   * Returns a new row with the values of the scope.
   * @throws ApiError `PERMISSION_DENIED` if no new row can concern the caller, `UNPROCESSABLE_ENTITY` for a value outside of the
   *   scope in a property without a foreign key, or 400 if neither the row nor the scope has a value that the table requires
   */
  completeNewRow(row: Partial<Row>, { limit, principal }: AccessScope): Partial<Row> {
    const values: Record<string, unknown> = { ...row };
    for (const condition of limit?.length === 1 ? (limit[0] ?? []) : []) {
      if (isParentCondition(condition)) continue;
      const { property, ids } = condition;
      const value = values[property] ?? null;
      if (value !== null || ids.includes(value as never)) {
        if (!ids.includes(value as never) && !this.isReference(property)) throw this.outsideFault(property);
      } else if (ids.length === 0 || property === 'id') {
        throw permissionDenied(principal, 'create', true);
      } else if (ids.length === 1) values[property] = ids[0];
      else throw this.outsideFault(property);
    }
    const parents = parentConditions(limit).map(({ property }) => property);
    if (parents.length > 0 && parents.every((property) => (values[property] ?? null) === null))
      throw this.outsideFault(...parents);
    assertRequiredValues(this.resource, this.metadata, values);
    return values as Partial<Row>;
  }

  /**
   * Returns the values of a change that lie outside of the scope, and that no foreign key checks. A row may only keep them.
   */
  private findKeptValues(changes: ColumnValues, { limit }: AccessScope): ColumnValues {
    const kept = Object.entries(changes).filter(([property, value]) =>
      limit?.flat().some((condition) => {
        if (condition.property !== property) return false;
        if (isParentCondition(condition)) return value === null;
        return !condition.ids.includes(value as never) && !(this.isReference(property) && value !== null);
      }),
    );
    return Object.fromEntries(kept);
  }

  /** @throws ApiError `UNPROCESSABLE_ENTITY` if a value that the row may only keep differs from that of the row */
  async assertKept(
    row: { readonly id: number },
    [first, second]: readonly UpdateAttempt[],
    db: SqlExecutor,
  ): Promise<void> {
    const isFirst = first && (!second || (await isSelected(this.table, first.within, row.id, db)));
    const { kept = {} } = (isFirst ? first : second) ?? {};
    const changed = Object.keys(kept).filter((name) => kept[name] !== (row as ColumnValues)[name]);
    if (changed.length > 0) throw this.outsideFault(...changed);
  }

  /**
   * Returns the scope of a write, with what its statement must check in other tables.
   * @throws Error for a scope of another resource
   */
  guardWrite(scope: AccessScope): WriteScope {
    this.assertScope(scope);
    if (scope === EVERYTHING) return scope;
    const references = new Map<string, ReferableRows | null>();
    this.references ??= this.findReferences();
    for (const [property, resource] of this.references) {
      const isParent = parentProperties(this.resource.rows).has(property);
      const filter = findReferableRows(resource, scope, isParent ? this.grantSourcesBy(property) : undefined);
      if (filter.anyOf !== null || filter.except.length > 0)
        references.set(property, { entity: resource.entity, filter });
    }
    const user = toWritingUser(scope);
    return references.size === 0 && !user ? scope : { ...scope, guard: { references, user } };
  }

  /** Returns what the INSERT of a row must respect in other tables. */
  guardInsert(row: ColumnValues, scope: AccessScope): WriteGuard | undefined {
    return this.limitReferences(this.guardWrite(scope).guard, row, scope);
  }

  /**
   * Returns what an UPDATE must respect. A row that only a grant opens for the caller stays where it is: its holder can take it
   * neither into the caller's own rows nor to another parent. If the changes name such properties, there are two attempts: for
   * the rows that concern the caller, and for the others.
   */
  guardUpdate(key: RowKey, changes: ColumnValues, scope: AccessScope): readonly UpdateAttempt[] {
    const guarded = this.guardWrite(scope);
    const within = { ...guarded, guard: this.limitReferences(guarded.guard, changes, scope) };
    const { limit, anyOf } = scope;
    const attempt = (kept: ColumnValues, alternatives: Alternatives): UpdateAttempt => {
      const isOfKey = Object.entries(kept).every(([name, value]) => !(name in key) || key[name] === value);
      return {
        kept,
        within: { ...within, anyOf: alternatives },
        key: isOfKey ? { ...key, ...kept } : undefined,
      };
    };
    const kept = this.findKeptValues(changes, scope);
    const placing = Object.entries(changes).filter(([name]) =>
      limit?.flat().some(({ property }) => property === name),
    );
    const isOfLimit = (terms: readonly RowCondition[]): boolean =>
      limit?.some((conditions) => conditions.every((condition) => terms.includes(condition))) ?? true;
    const opened = anyOf?.filter((terms) => !isOfLimit(terms)) ?? [];
    if (placing.length === 0 || opened.length === 0) return [attempt(kept, anyOf)];
    return [attempt(kept, anyOf?.filter(isOfLimit) ?? null), attempt(Object.fromEntries(placing), opened)];
  }

  /** Returns the guard, in which properties that lie outside of the scope may refer to no row. */
  private limitReferences(
    guard: WriteGuard | undefined,
    values: ColumnValues,
    { limit }: AccessScope,
  ): WriteGuard | undefined {
    const outside = (limit?.length === 1 ? (limit[0] ?? []) : []).filter(
      (condition) =>
        !isParentCondition(condition) &&
        condition.property in values &&
        !condition.ids.includes(values[condition.property] as never),
    );
    if (outside.length === 0) return guard;
    const references = new Map(guard?.references);
    for (const { property } of outside) if (this.isReference(property)) references.set(property, null);
    return { user: guard?.user, references };
  }

  /** @throws ApiError `INVALID_TOKEN` if the role or the attributes of the caller have changed */
  async assertCurrentUser(scope: AccessScope, db: SqlExecutor): Promise<void> {
    const user = toWritingUser(scope);
    if (user && (await db.query(currentUserStatement(this.table, user))).length === 0) throw outdatedCaller();
  }

  /** Returns the grant sources of the resource that open rows by a property, as sources of the rows to which it refers. */
  private grantSourcesBy(property: string): GrantSource[] {
    const sources = grantSourcesOf(this.resource).filter((source) => source.property === property);
    return sources.map((source) => source.parent?.source ?? { ...source, property: 'id' });
  }

  private outsideFault(...properties: readonly string[]): ApiError {
    const details = properties.map((property) => ({
      field: fieldNameFor(this.resource.entity, property),
      code: 'NOT_ALLOWED' as const,
      message: this.isReference(property)
        ? 'refers to a resource that does not exist'
        : 'must be a value of rows that concern you',
    }));
    return faultError(HttpErrors.UNPROCESSABLE_ENTITY, details);
  }

  /** Whether a property has a foreign key to an integer id. */
  private isReference(property: string): boolean {
    return this.referredEntities().has(property) && INTEGER.test(this.table.column(property).type);
  }

  /** Returns the entities to whose ids properties have foreign keys. */
  private referredEntities(): Map<string, FieldClass> {
    const entities = new Map<string, FieldClass>();
    for (const { columns, referencedColumns, referencedEntityMetadata } of this.metadata.foreignKeys)
      for (const [i, { propertyName }] of columns.entries())
        if (referencedColumns[i]?.propertyName === 'id')
          entities.set(propertyName, referencedEntityMetadata.target as FieldClass);
    return entities;
  }

  private findReferences(): Map<string, LimitedResource> {
    const found = new Map<string, LimitedResource>();
    for (const [property, entity] of this.referredEntities()) {
      const resource = findLimitedResource(entity);
      if (resource && canLimit(resource.rows)) found.set(property, resource);
    }
    return found;
  }
}

/** Returns the user of the caller with the values on which `rows` depends, if the application declares attributes. */
function toWritingUser({ principal }: AccessScope): WritingUser | undefined {
  const entity = findUserEntity();
  if (!principal || principal.userId === null || !entity || ATTRIBUTES.length === 0) return undefined;
  const { userId: id, role, attributes = noAttributes() } = principal;
  return { entity, id, values: { ...attributes, role } };
}

/** Returns the error for a caller whose role or attributes have changed since the credentials were verified. */
export const outdatedCaller = (): ApiError =>
  new ApiError(
    INVALID_TOKEN,
    'Your role or your attributes have changed. Log in again, or refresh the token.',
  );
