import { RouteOptions } from 'fastify';

import { RoutePolicy } from '../http/route-policy.js';
import { PERMISSION_OF } from './decision.js';
import { CALLER, GrantLink } from './grant-links.js';
import './require-permission.decorator.js';

/**
 * Refuses a route at start that could show rows without asking whether the caller may see them: one whose path does not
 * name everything that decides, and that has neither `@CurrentUser()` nor `@ListQuery()`, which give the caller's
 * visibility to the repository.
 */
export function assertRowsAreJudged({ method, url, config }: RouteOptions): void {
  const policy = config?.policy ?? {};
  for (const verb of [method].flat()) {
    if (!policy.judgesRows && leavesRowsOpen(verb, url, policy)) {
      throw new Error(
        `${verb} ${url}: what it answers depends on rows that its path does not name; ` +
          'take the caller with @CurrentUser(), or their list with @ListQuery()',
      );
    }
  }
}

/** Whether who may call a route depends on a row that is yet to be read. */
function leavesRowsOpen(method: string, url: string, { access, grants = [] }: RoutePolicy): boolean {
  if (!access || access.isPublic) return false;
  const isNamed = ({ parameter }: GrantLink): boolean =>
    parameter === CALLER || new RegExp(`:${parameter}(/|$)`).test(url);
  const isNew =
    PERMISSION_OF[method] === 'create' && !grants.some((link) => link.property === 'id' && isNamed(link));
  if (isNew) return false;
  const isOwnByRow = access.own?.by === 'row' && access.own.property !== undefined;
  return isOwnByRow || !grants.every(isNamed);
}
