import { Permission, PERMISSIONS } from '../config/define-access.js';
import { Codec } from '../fields/codec.js';
import { FieldOptions } from '../fields/field.js';
import { Choices } from '../fields/fields.js';

/** Permissions as a column stores them: each once, in the order of the roles table, comma-separated. */
export const PERMISSION_LIST: Codec = {
  select: (column) => `string_to_array(${column}, ',')`,
  from: (text: string) => text.split(','),
  to: (permissions: readonly Permission[]) =>
    PERMISSIONS.filter((permission) => permissions.includes(permission)).join(','),
};

export function PermissionList(options: FieldOptions & { of: readonly Permission[] }): PropertyDecorator {
  const column = { type: 'varchar', array: false, length: 100, transformer: PERMISSION_LIST } as const;
  return Choices({ ...options, min: 1, column });
}
