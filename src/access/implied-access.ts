import { RouteOptions } from 'fastify';

import { PERMISSION_OF } from './decision.js';
import { permissionRule } from './require-permission.decorator.js';

/**
 * Gives a route that says nothing of who may call it the rule of its method: callers with credentials, who hold the
 * permission `read` for GET, `create` for POST, `update` for PUT and PATCH, `delete` for DELETE.
 *
 * @throws Error at start for a route of several methods that stand for different permissions
 */
export function implyAccess({ method, url, config }: RouteOptions): void {
  const policy = config?.policy;
  if (!policy || policy.access) return;
  const permissions = new Set([method].flat().map((verb) => PERMISSION_OF[verb] ?? 'read'));
  const [permission = 'read', another] = permissions;
  if (another)
    throw new Error(`${url} takes several methods: say by @RequirePermission() or @Public() who may call it`);
  policy.access = permissionRule(permission, {});
  policy.isAccessImplied = true;
}
