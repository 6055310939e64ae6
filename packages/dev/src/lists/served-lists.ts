import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { ListDefinition } from '@plinth/core/dev';

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
    list?.parameters.includes('sort') ? [{ list, fixed }] : [],
  );
  return [...new Map(served.map((one) => [`${one.list.name} ${one.fixed.join()}`, one])).values()];
}
