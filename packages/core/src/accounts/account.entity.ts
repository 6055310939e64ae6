import { Column, DataSource, getMetadataArgsStorage, Index } from 'typeorm';

import { DerivedFrom } from '../fields/field.js';
import { Email, Flag } from '../fields/fields.js';
import { Role } from '../config/define-access.js';
import { ResourceEntity } from '../resources/resource.entity.js';

/**
 * The columns that the base needs of users. One entity of an application, `@Entity('users')`, extends it and adds columns
 * of its own. These need defaults or `nullable`, because the first administrator is created without them.
 * @example
 * @Entity('users')
 * export class User extends AccountEntity { … }
 */
@Index('users_email_key', ['canonicalEmail'], { unique: true })
export abstract class AccountEntity extends ResourceEntity {
  /** The e-mail as the user typed it. */
  @Email()
  email: string;

  /** The result of `canonicalEmail()`. It is unique, and users are found by it. */
  @DerivedFrom('email')
  @Column({ type: 'varchar', length: 762 })
  canonicalEmail: string;

  /** Whether somebody followed a link that was sent to the e-mail. A trigger sets it to false when the e-mail changes. */
  @Flag({
    readOnly: true,
    example: false,
    description: 'Whether the user has confirmed that the e-mail is theirs.',
    column: { default: false },
  })
  emailVerified: boolean;

  /** argon2id, in PHC format. No field, so that no DTO can show it; rows are read without it. */
  @Column({ type: 'varchar', length: 255, select: false })
  passwordHash?: string;

  /** A `@Choice({ of: ROLES })` with the default of the application. */
  abstract role: Role;
}

const isAccount = (target: unknown): target is new () => AccountEntity =>
  typeof target === 'function' && target.prototype instanceof AccountEntity;

/** Returns the entity of the application's users. @throws Error unless exactly one entity extends `AccountEntity` */
export function accountClass(): new () => AccountEntity {
  const classes = getMetadataArgsStorage().tables.map(({ target }) => target);
  // Distinct by name, because tests may load an application more than once.
  const found = new Map(classes.filter(isAccount).map((account) => [account.name, account]));
  const [account] = found.values();
  if (account && found.size === 1) return account;
  const names = [...found.keys()].join(', ') || 'none';
  throw new Error(`exactly one entity of an application must extend AccountEntity (found: ${names})`);
}

export const accountTable = (dataSource: DataSource): string =>
  `"${dataSource.getMetadata(accountClass()).tableName}"`;
