import { Columns } from '../database/table.js';
import { FieldKind, fieldsOf } from '../fields/field.js';
import { Filter, Reading } from './filters.js';
import { Direction } from './sort.js';

/** The class of an entity. */
type EntityClass<Entity extends object = object> = abstract new (...parameters: never[]) => Entity;

/** A filter of a list, with what follows from the entity's fields. */
export interface ListFilter extends Filter<never>, Reading {
  readonly name: string;
  readonly kind: FieldKind;
}

/**
 * The filters, sorts and totals of a collection. Paging, cursors, links, totals, validation and docs follow from it.
 */
export interface ListDefinition {
  /** The collection's name: its cursors are good for no other. */
  readonly name: string;
  /** The entity whose rows are listed. */
  readonly entity: EntityClass;
  /** The condition on all its rows. */
  readonly only: ((row: Columns<never>) => string) | undefined;
  readonly filters: ReadonlyMap<string, ListFilter>;
  /** The properties that it can be sorted by. */
  readonly sorts: readonly string[];
  /** Sorts that need no index, because the list is narrowed to a few rows before it is sorted. */
  readonly unindexed: readonly string[];
  /** As it would be written in `sort`. */
  readonly defaultSort: string;
  /** The properties that totals are kept by; `undefined`: they are counted. */
  readonly totals: readonly string[] | undefined;
}

/**
 * Declares what can be asked of a collection; the fields of the entity say how a parameter is read. Each sort wants
 * indexes, see `docs/adding-a-filter.md`.
 *
 * @example defineList(Product, { name: 'products', filters: { category: equals('category') }, sorts: ['price'] })
 */
export function defineList<Entity extends object>(
  entity: EntityClass<Entity>,
  definition: {
    name: string;
    /** SQL that is true of the rows that the list shows; left out: all of the table. */
    only?: (row: Columns<NoInfer<Entity>>) => string;
    filters?: Readonly<Record<string, Filter<NoInfer<Entity>>>>;
    sorts?: readonly (keyof NoInfer<Entity> & string)[];
    unindexed?: readonly (keyof NoInfer<Entity> & string)[];
    defaultSort?: `${keyof NoInfer<Entity> & string}:${Direction}`;
    /** Properties with `equals` filters whose totals the table keeps, so that none counts. `[]`: the whole alone. */
    totals?: readonly (keyof NoInfer<Entity> & string)[];
  },
): ListDefinition {
  const { name, only, filters = {}, sorts = [], unindexed = [], totals } = definition;
  const fields = fieldsOf(entity);
  const resolved = Object.entries(filters).map(([parameter, filter]): [string, ListFilter] => {
    try {
      const kind = filter.kind ?? fields.get(filter.property ?? '')?.kind;
      if (!kind) throw new Error(`${entity.name} has no field ${filter.property ?? ''}`);
      return [parameter, { ...filter, name: parameter, kind, ...filter.readingOf(kind) }];
    } catch (error) {
      throw new Error(`list ${name}, filter ${parameter}: ${(error as Error).message}`, { cause: error });
    }
  });
  return Object.freeze({
    name,
    entity,
    only,
    filters: new Map(resolved),
    sorts: ['createdAt', ...sorts.filter((sort) => sort !== 'createdAt')],
    unindexed,
    defaultSort: definition.defaultSort ?? 'createdAt:desc',
    totals,
  });
}
