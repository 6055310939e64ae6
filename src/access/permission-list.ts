import { Permission, PERMISSIONS } from './permissions.js';

/** Permissions as a column keeps them: in the order of the table, comma-separated. */
export function formatPermissions(permissions: Iterable<Permission>): string {
  const held = new Set(permissions);
  return PERMISSIONS.filter((permission) => held.has(permission)).join(',');
}

/** The permissions that `formatPermissions` wrote. What is no permission any more is left out. */
export function parsePermissions(text: string): Permission[] {
  const names = text.split(',');
  return PERMISSIONS.filter((permission) => names.includes(permission));
}
