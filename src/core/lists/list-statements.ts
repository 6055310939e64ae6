import { LRUCache } from 'lru-cache';

import { ReadRow, Statement, statementName } from '../database/connection.js';
import { scopeConditions, scopeShape, scopeSql, scopeValues } from '../database/row-scope.js';
import { Table } from '../database/table.js';
import { Totals } from '../database/totals-sql.js';
import { FilterSql } from './filters.js';
import { ListDefinition, ListFilter } from './list-definition.js';
import { ListQuery } from './list-query.js';
import { cursorColumns, cursorPage, offsetPage, pageKindOf, Placeholders } from './list-sql.js';
import { countedSql, totalsOf } from './list-totals.js';
import { sortKeysOf } from './sort-sql.js';
import { formatSort } from './sort.js';

/** How many statements of a list are remembered. */
const REMEMBERED = 500;
/** The condition of a filter: SQL around the placeholder, where it has one. */
interface CompiledFilter {
  readonly type: string;
  /** The SQL before, between and after the places where the placeholder stands. */
  readonly parts: readonly string[];
  readonly partsOfFalse: readonly string[] | undefined;
  /**
   * Whether its value, true or false, stands in the text of the statement. For a parameter PostgreSQL expects half of
   * the rows whichever it is, and makes a plan for each request.
   */
  readonly isInText: boolean;
}

/** A statement without the values of its parameters. */
interface Template {
  readonly text: string;
  readonly name: string | undefined;
  readonly cursorProperties: readonly string[];
}

/** A statement that reads a page. */
interface PageStatement extends Statement {
  /** The properties whose values a cursor holds more exactly than the row. */
  readonly cursorProperties: readonly string[];
}

const asTheyAre: ReadRow = (values) => values;

/** Stands for the placeholder in the SQL of filters: a character that no SQL has. */
const MARK = '\u0000';

/**
 * The statements of a list over a table. The text for each combination of filters, sort and kind of page is made once;
 * what requests ask for are its parameters.
 */
export class ListStatements {
  private readonly filters: ReadonlyMap<string, CompiledFilter>;
  /** Conditions on all rows. */
  private readonly always: readonly string[];
  /** The totals that triggers maintain; `undefined`: rows are counted. */
  readonly totals: Totals | undefined;
  private readonly templates = new LRUCache<string, Template>({ max: REMEMBERED });

  /** @throws Error that names the filter or sort, and why no statement can be made for it */
  constructor(
    private readonly table: Table,
    private readonly definition: ListDefinition,
  ) {
    this.totals = attempt('totals', () => totalsOf(definition, table));
    const { only } = definition;
    // The columns of the definition's own entity, whose type a `ListDefinition` leaves out.
    const ofAll = [table.condition, only && attempt('only', () => `(${only(table.row as never)})`)];
    this.always = ofAll.filter((condition) => condition !== undefined);
    this.filters = new Map(
      [...definition.filters.values()].map((filter) => [
        filter.name,
        attempt(`filter ${filter.name}`, () => compileFilter(filter, table)),
      ]),
    );
    for (const property of [...definition.sorts, 'id'])
      attempt(`sort ${property}`, () => {
        assertShown(table, property);
        for (const direction of ['asc', 'desc'] as const) sortKeysOf(table, [{ property, direction }]);
      });
  }

  /**
   * The statement that reads the page of a query. Its rows are arrays: the values of a whole row, followed by the total
   * or, by cursor, by the values of `cursorProperties`.
   */
  page(query: ListQuery): PageStatement {
    return { ...this.templateOf(query), values: this.valuesOf(query), read: asTheyAre };
  }

  private templateOf(query: ListQuery): Template {
    const shape = this.shapeOf(query);
    let template = this.templates.get(shape);
    if (!template) this.templates.set(shape, (template = this.compile(query)));
    return template;
  }

  /** The same for queries that differ in the values of parameters alone. */
  private shapeOf(query: ListQuery): string {
    const { within, conditions, sort, scope } = query;
    const kind = pageKindOf(query);
    let shape =
      typeof kind === 'string' ? kind : `${kind.isStart ? 'start' : 'after'}${kind.isUsual ? '' : '…'}`;
    shape += ` ${formatSort(sort)}`;
    for (const { property } of within) shape += ` ${property}`;
    for (const { filter, value } of conditions)
      shape += ` ${filter}?${this.isBound(filter) ? '' : String(value)}`;
    return scope ? `${shape} ${scopeShape(scope)}` : shape;
  }

  private compile(query: ListQuery): Template {
    const { sort } = query;
    const text = this.sqlOf(query, new Placeholders());
    const columns = typeof pageKindOf(query) === 'string' ? [] : cursorColumns(this.table, sort);
    return {
      text,
      name: isDeclared(query) && !isPlannedAnew(query) ? statementName(text) : undefined,
      cursorProperties: columns.map(({ property }) => property),
    };
  }

  private sqlOf(query: ListQuery, placeholders: Placeholders): string {
    const { table, totals, definition } = this;
    const { sort, scope } = query;
    const { conditions: asked, values } = this.conditionsOf(query, placeholders);
    const inScope = scope && scopeSql(table, scope, (_, type) => placeholders.next(type));
    const conditions = [...asked, ...(inScope ? scopeConditions(inScope) : [])];
    const areIndexed = values !== null && !scope;
    const parts = { table, sort, conditions, areIndexed, placeholders };
    const kind = pageKindOf(query);
    if (typeof kind === 'object') return cursorPage(parts, kind);
    const counting = { table, conditions: asked, values, scope: inScope };
    return offsetPage(parts, countedSql(counting, totals, definition.totals), kind);
  }

  /** The conditions on rows, and the placeholders of the values that properties must have, if that is all of them. */
  private conditionsOf(
    query: ListQuery,
    placeholders: Placeholders,
  ): { conditions: string[]; values: ReadonlyMap<string, string> | null } {
    const conditions: string[] = [];
    const values = new Map<string, string>();
    let isPlain = true;
    const equal = (property: string, placeholder: string): void => {
      isPlain &&= !values.has(property);
      values.set(property, placeholder);
    };
    for (const { property } of query.within) {
      const { sql, type } = this.table.operand(property);
      const placeholder = placeholders.next(type);
      conditions.push(`${sql} = ${placeholder}`);
      equal(property, placeholder);
    }
    for (const { filter, value } of query.conditions) {
      const { type, parts, partsOfFalse, isInText } = this.filterOf(filter);
      const { operator, property } = this.definition.filters.get(filter) ?? {};
      const placeholder = isInText ? String(value === true) : placeholders.next(type);
      const isFalse = partsOfFalse && value === false;
      conditions.push((isFalse ? partsOfFalse : parts).join(placeholder));
      if (operator === '=' && property !== undefined) equal(property, placeholder);
      else isPlain = false;
    }
    conditions.push(...this.always);
    return { conditions, values: isPlain ? values : null };
  }

  private valuesOf(query: ListQuery): unknown[] {
    const { within, conditions, scope, position, limit } = query;
    const values: unknown[] = within.map(({ value }) => value);
    for (const { filter, value } of conditions) if (this.isBound(filter)) values.push(value);
    if (scope) values.push(...scopeValues(scope));
    const kind = pageKindOf(query);
    if (position.style === 'cursor') values.push(...(position.after ?? []));
    else if (kind !== 'first') values.push(limit, (position.page - 1) * limit);
    if (typeof kind === 'object' && !kind.isUsual) values.push(limit + 1);
    return values;
  }

  private isBound(filter: string): boolean {
    return !this.filterOf(filter).isInText;
  }

  private filterOf(name: string): CompiledFilter {
    const filter = this.filters.get(name);
    if (!filter) throw new Error(`${this.table.name}: the list has no filter ${name}`);
    return filter;
  }
}

/**
 * Whether a page is one of those whose statements are kept prepared: by one field and `id`, with one filter at most, of
 * rows that everybody may see. There are as many as the list declares, whatever clients ask for.
 */
const isDeclared = ({ sort, conditions, scope }: ListQuery): boolean =>
  sort.length <= 2 && conditions.length <= 1 && scope === undefined;

/**
 * Whether the plan of a page must be one for its values. What is skipped of few rows is soon sorted, what is skipped of
 * many is not, and of a filter that no index in the order of the sort begins with, the plan for any value reads the
 * whole table for a page of few rows.
 */
const isPlannedAnew = (query: ListQuery): boolean =>
  pageKindOf(query) === 'deep' && query.conditions.length > 0;

/** @throws Error for a filter that no row could be found by */
function compileFilter(filter: ListFilter, table: Table): CompiledFilter {
  const { fault, property, kind, isAboutNull, typeOf, sql, sqlOfFalse } = filter;
  if (fault !== undefined) throw new Error(fault);
  if (property !== undefined) assertShown(table, property);
  const operand = property === undefined ? undefined : table.operand(property);
  if (isAboutNull && !operand?.isNullable)
    throw new Error(`no row lacks ${property ?? ''}: it is never null`);
  const type = typeOf(operand?.type ?? String(kind?.column?.type ?? 'text'));
  // As above: `table` is that of the filter's entity.
  const partsOf = (make: FilterSql<never>): string[] => make(MARK, table.row as never).split(MARK);
  const parts = partsOf(sql);
  if (!sqlOfFalse && parts.length === 1) throw new Error('its SQL does not use the value');
  const isInText = sqlOfFalse !== undefined || /^bool(?:ean)?$/.test(type);
  return { type, parts, partsOfFalse: sqlOfFalse && partsOf(sqlOfFalse), isInText };
}

/** Who may ask for rows by what no response shows could find it out. */
function assertShown(table: Table, property: string): void {
  if (table.operand(property).isHidden) throw new Error(`${property} is never shown (select: false)`);
}

function attempt<T>(what: string, use: () => T): T {
  try {
    return use();
  } catch (error) {
    throw new Error(`${what}: ${(error as Error).message}`, { cause: error });
  }
}
