import { QueryExecutor } from '../database/sql-executor.js';
import { EntityTable } from '../database/entity-table.js';
import { ParsedListQuery } from './list-query.js';
import { buildWhere, createParameters, fromWhere } from './list-sql.js';

/** The most values of a property that a facet shows. The facet leaves out the values that occur least often. */
export const MAX_FACET_VALUES = 1_000;

/**
 * A summary of a list. For each property, it has the number of rows with each value, or the lowest and the highest
 * value.
 */
export interface Facets {
  readonly [property: string]:
    | readonly { readonly value: unknown; readonly count: number }[]
    | { readonly min: unknown; readonly max: unknown };
}

/** Returns the facets of all rows that match a query. A single statement reads each row only once. */
export async function readFacets(
  table: EntityTable,
  query: ParsedListQuery,
  db: QueryExecutor,
): Promise<Facets> {
  const { values, add } = createParameters();
  const where = buildWhere(table, query, add);
  const facets = Object.entries(query.definition.facets).map(([property, kind], i) => {
    const { sql, codec } = table.column(property);
    return { property, kind, sql, as: `f${i}`, shown: (value: string) => codec?.select(value) ?? value };
  });
  const counted = facets.filter(({ kind }) => kind === 'count');
  const parts = facets.map(({ kind, sql, as }) =>
    kind === 'count' ? `${sql} as ${as}` : `min(${sql}) as ${as}_min, max(${sql}) as ${as}_max`,
  );
  const by = counted.length > 0 ? ` group by ${counted.map(({ sql }) => sql).join(', ')}` : '';
  const selected = facets.map(({ property, kind, as, shown }) => {
    const range = `select json_build_object('min', ${shown(`min(${as}_min)`)}, 'max', ${shown(`max(${as}_max)`)}) from parts`;
    const count =
      `select json_build_object('value', ${shown(as)}, 'count', sum(n)) from parts group by ${as} ` +
      `order by sum(n) desc, ${as} limit ${MAX_FACET_VALUES}`;
    return `${kind === 'count' ? `array(${count})` : `(${range})`} as "${property}"`;
  });
  const all = `select ${parts.join(', ')}, count(*) as n ${fromWhere(table, where)}${by}`;
  const text = `with parts as (${all}) select ${selected.join(', ')}`;
  const [summedUp] = await db.query<Facets>({ text, values });
  return summedUp as Facets;
}
