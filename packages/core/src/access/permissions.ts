import { Permission, PERMISSIONS } from '../config/define-access.js';
import { Codec } from '../fields/codec.js';
import { field, FieldOptions } from '../fields/field.js';
import { createFieldType } from '../fields/fields.js';

/** Stores permissions in a text column: comma-separated, each once, in the order of their declaration. */
export const PERMISSIONS_CODEC: Codec = {
  select: (column) => `string_to_array(${column}, ',')`,
  from: (text: string) => text.split(','),
  to: (permissions: readonly Permission[]) =>
    PERMISSIONS.filter((permission) => permissions.includes(permission)).join(','),
};

/**
 * Declares a field with at least one permission, each at most once.
 * @param options `of` lists the permissions to choose from. The array may be filled after the class is declared
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
