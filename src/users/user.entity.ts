import { Check, Column, Entity, Index } from 'typeorm';

import { Choice, Email, ResourceEntity, type Role, ROLES, Text } from '../core/index.js';

@Entity('users')
@Check('users_role_known', `role in ('admin', 'editor', 'viewer')`)
@Index('users_email_key', ['canonicalEmail'], { unique: true })
export class User extends ResourceEntity {
  /** As it was typed. */
  @Email()
  email: string;

  /** The result of `canonicalEmail()`: unique, and what users are found by. */
  @Column({ type: 'varchar', length: 762 })
  canonicalEmail: string;

  /** argon2id, in PHC format. No field, so that no DTO can show it; rows are read without it. */
  @Column({ type: 'varchar', length: 255, select: false })
  passwordHash?: string;

  @Text({ max: 200, nullable: true, example: 'Ada Lovelace' })
  name: string | null;

  // The default is the column's alone: bodies without a role differ from those with the default.
  @Choice({ of: ROLES, example: 'viewer', column: { default: 'viewer' } })
  role: Role;
}
