import { Permission, PERMISSIONS } from '../config/define-access.js';
import { Codec } from '../fields/codec.js';
import { field, FieldOptions } from '../fields/field.js';
import { createFieldType } from '../fields/fields.js';

/**
 * Stores permissions in a text column, separated by commas. It removes duplicates, and sorts the permissions in the
 * order in which the application declares them.
 */
export const PERMISSIONS_CODEC: Codec = {
  select: (column) => `string_to_array(${column}, ',')`,
  from: (text: string) => text.split(','),
  to: (permissions: readonly Permission[]) =>
    PERMISSIONS.filter((permission) => permissions.includes(permission)).join(','),
};

/**
 * Declares a field that contains an array of permissions. The array must not be empty, and must not contain duplicates.
 * @param options `of` lists the permissions that the field accepts. The array may be empty when the class is declared,
 * because it is read later
 */
export function PermissionList(options: FieldOptions & { of: readonly Permission[] }): PropertyDecorator {
  const { of: words } = options;
  const schema = {
    minItems: 1,
    get maxItems() {
      return words.length;
    },
    type: 'array',
    uniqueItems: true,
    items: { type: 'string', enum: words },
  } as const;
  const kind = createFieldType(schema, {
    typeName: 'an array of strings',
    isOfType: (value) => Array.isArray(value) && value.every((word) => typeof word === 'string'),
    column: { type: 'varchar', length: 100, transformer: PERMISSIONS_CODEC },
  });
  return field(kind, options);
}
