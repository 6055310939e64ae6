import { DataSource } from 'typeorm';

import { ATTRIBUTES, Attributes } from '../config/define-access.js';
import { EntityTable } from '../database/entity-table.js';
import { accountClass } from './account.entity.js';

/**
 * Returns SQL for the attributes of a user as JSON, as a further column `attributes` of a SELECT list. If the application
 * declares no attributes, returns no SQL.
 * @param users the name by which the statement reads the table of users
 */
export function attributesSql(dataSource: DataSource, users: string): string {
  if (ATTRIBUTES.length === 0) return '';
  const table = new EntityTable(dataSource.getMetadata(accountClass()));
  const members = ATTRIBUTES.map((property) => {
    const { name, codec } = table.column(property);
    const column = `${users}.${name}`;
    return `'${property}', ${codec?.select(column) ?? column}`;
  });
  return `, json_build_object(${members.join(', ')}) as attributes`;
}

const VALUE_TYPES: readonly string[] = ['string', 'number', 'boolean'];

/**
 * Reads the attributes of a user from the claims of an access token.
 * @returns `undefined` if the token does not have each attribute that `defineAccess()` names. The attributes are then looked
 *   up for each request
 * @example return { kind: 'user', userId, role, attributes: readAttributes(claims), … };
 */
export function readAttributes(claims: object): Attributes | undefined {
  const { attributes } = claims as { readonly attributes?: unknown };
  if (ATTRIBUTES.length === 0 || typeof attributes !== 'object' || attributes === null) return undefined;
  const values = attributes as Record<string, unknown>;
  const isValid = (name: string): boolean =>
    Object.hasOwn(values, name) && (values[name] === null || VALUE_TYPES.includes(typeof values[name]));
  if (!ATTRIBUTES.every(isValid)) return undefined;
  return Object.fromEntries(ATTRIBUTES.map((name) => [name, values[name]])) as Attributes;
}
