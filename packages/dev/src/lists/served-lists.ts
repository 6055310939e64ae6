import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type ListDefinition, scopedList } from '@plinth/core/dev';

/** A list with the properties that a route fixes, such as the parent in the path. */
export interface ServedList {
  readonly list: ListDefinition;
  readonly fixed: readonly string[];
}

type Server = ReturnType<ReturnType<NestFastifyApplication['getHttpAdapter']>['getInstance']>;
export type Policies = Server['policies'];
export type Policy = Policies extends ReadonlyMap<string, infer Each> ? Each : never;

/** Returns the policies of an application's routes, by method and path. */
export const policiesOf = (nest: NestFastifyApplication): Policies =>
  nest.getHttpAdapter().getInstance().policies;

/** Returns each list once for each set of properties that routes fix. */
export function servedLists(policies: Policies): ServedList[] {
  const served = [...policies.values()].flatMap(({ list, fixedFilterProperties: fixed = [] }) =>
    // Facets have no pages.
    list?.parameters.includes('sort') ? withScope(list, fixed) : [],
  );
  return [...new Map(served.map((one) => [`${one.list.name} ${one.fixed.join()}`, one])).values()];
}

/** If `rows` limits callers, the list is also served with the values of their rows, like a list whose route fixes them. */
function withScope(list: ListDefinition, fixed: readonly string[]): ServedList[] {
  const scoped = scopedList(list);
  const { scopedBy = [] } = scoped;
  const others = scopedBy.filter((property) => !fixed.includes(property));
  return [
    { list: scoped, fixed },
    ...(others.length > 0 ? [{ list: scoped, fixed: [...fixed, ...others] }] : []),
  ];
}
