import { Column, DataSource, getMetadataArgsStorage, Index } from 'typeorm';

import { DerivedFrom } from '../fields/field.js';
import { Email, Flag } from '../fields/fields.js';
import { Role } from '../config/define-access.js';
import { ResourceEntity } from '../resources/resource.entity.js';

/**
 * Columns of those who log in. One entity of an application, `@Entity('users')`, extends it and adds its own columns,
 * which the first administrator does without.
 * @example
 * @Entity('users')
 * export class User extends AccountEntity { … }
 */
@Index('users_email_key', ['canonicalEmail'], { unique: true })
export abstract class AccountEntity extends ResourceEntity {
  /** As it was typed. */
  @Email()
  email: string;

  /** The result of `canonicalEmail()`: unique, and what users are found by. */
  @DerivedFrom('email')
  @Column({ type: 'varchar', length: 762 })
  canonicalEmail: string;

  /** Whether a link that was sent to the e-mail has been followed. A trigger takes it back when the e-mail changes. */
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

/** The entity of the application's users. @throws Error where not exactly one extends `AccountEntity` */
export function accountClass(): new () => AccountEntity {
  const classes = getMetadataArgsStorage().tables.map(({ target }) => target);
  // By name: tests may load an application more than once.
  const found = new Map(classes.filter(isAccount).map((account) => [account.name, account]));
  const [account] = found.values();
  if (account && found.size === 1) return account;
  const names = [...found.keys()].join(', ') || 'none';
  throw new Error(`Exactly one entity of an application extends AccountEntity; found: ${names}`);
}

export const accountTable = (dataSource: DataSource): string =>
  `"${dataSource.getMetadata(accountClass()).tableName}"`;
