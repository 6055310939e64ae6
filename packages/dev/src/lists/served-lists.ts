import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type ListDefinition, listLimits, type RowLimit, scopedList } from '@plinth/core/dev';

/** A list with the properties that a route fixes, such as the parent in the path. */
export interface ServedList {
  readonly list: ListDefinition;
  readonly fixed: readonly string[];
  /** The properties and parents by which `rows` limits the caller, with any values. If missing, the caller sees all rows. */
  readonly limit?: RowLimit;
}

/** Returns the properties of a limit, such as `companyId`, in a text. */
export const limitText = (limit: RowLimit): string =>
  limit.map((terms) => terms.map(({ property }) => property).join(' and ')).join(' or ');

type Server = ReturnType<ReturnType<NestFastifyApplication['getHttpAdapter']>['getInstance']>;
export type Policies = Server['policies'];
export type Policy = Policies extends ReadonlyMap<string, infer Each> ? Each : never;

/** Returns the policies of an application's routes, by method and path. */
export const policiesOf = (nest: NestFastifyApplication): Policies =>
  nest.getHttpAdapter().getInstance().policies;

/** Returns each list once for each set of properties that routes fix, and once more for each limit of a role's rows. */
export function servedLists(policies: Policies): ServedList[] {
  const served = [...policies.values()].flatMap(
    ({ list, fixedFilterProperties: fixed = [] }): ServedList[] => {
      // Facets have no pages.
      if (!list?.parameters.includes('sort')) return [];
      const scoped = scopedList(list);
      // PostgreSQL joins rows to one parent, but not to one of several.
      const limits = listLimits(list).filter((limit) => limit.length === 1 && limitText(limit) !== 'id');
      return [{ list: scoped, fixed }, ...limits.map((limit) => ({ list: scoped, fixed, limit }))];
    },
  );
  const keyOf = ({ list, fixed, limit }: ServedList): string => JSON.stringify([list.name, fixed, limit]);
  return [...new Map(served.map((one) => [keyOf(one), one])).values()];
}
