import { Column, DataSource, getMetadataArgsStorage, Index } from 'typeorm';

import { DerivedFrom } from '../fields/field.js';
import { Email, Flag } from '../fields/fields.js';
import { Role } from '../config/define-access.js';
import { ResourceEntity } from '../resources/resource.entity.js';

/** The name of the constraint that keeps e-mails unique. */
export const UNIQUE_EMAIL = 'users_email_key';

/**
 * Declares the columns that the base needs to log users in. Exactly one entity of an application must extend this
 * class. Additional columns must have defaults or be `nullable`, because the base creates the first administrator
 * without values for them.
 * @example
 * @Entity('users')
 * export class User extends AccountEntity { … }
 */
@Index(UNIQUE_EMAIL, ['canonicalEmail'], { unique: true })
export abstract class AccountEntity extends ResourceEntity {
  /** The e-mail as the user typed it. */
  @Email()
  email: string;

  /**
   * The result of `canonicalEmail()`, which is the same for all spellings of an e-mail. It is unique, and the base
   * finds users by it.
   */
  @DerivedFrom('email')
  @Column({ type: 'varchar', length: 762 })
  canonicalEmail: string;

  /** Whether the user has opened a link that was sent to the e-mail. A trigger sets it to false when the e-mail changes. */
  @Flag({
    readOnly: true,
    example: false,
    description: 'Whether the user has confirmed that the e-mail is theirs.',
    column: { default: false },
  })
  emailVerified: boolean;

  /**
   * The argon2id hash in PHC format. It has no field decorator, so that no DTO can contain it. Queries do not select it
   * by default.
   */
  @Column({ type: 'varchar', length: 255, select: false })
  passwordHash?: string;

  /** The role. Declare it as `@Choice({ of: ROLES })`, with a default. */
  abstract role: Role;
}

const isAccount = (target: unknown): target is new () => AccountEntity =>
  typeof target === 'function' && target.prototype instanceof AccountEntity;

/**
 * Returns the entity of the application's users. If a process loads several of the same name, such as those of two applications
 * in one repository, returns the one that was loaded last. The service does not start if no module registers this one by
 * `TypeOrmModule.forFeature()`.
 * @throws Error if no entity, or more than one, extends `AccountEntity`
 */
export function accountClass(): new () => AccountEntity {
  const classes = getMetadataArgsStorage().tables.map(({ target }) => target);
  // Tests may load an application several times. Count classes of the same name as one.
  const found = new Map(classes.filter(isAccount).map((account) => [account.name, account]));
  const [account] = found.values();
  if (account && found.size === 1) return account;
  const names = [...found.keys()].join(', ') || 'none';
  throw new Error(`exactly one entity of an application must extend AccountEntity (found: ${names})`);
}

/** Returns the quoted name of the table of users. */
export const accountTable = (dataSource: DataSource): string =>
  `"${dataSource.getMetadata(accountClass()).tableName}"`;
