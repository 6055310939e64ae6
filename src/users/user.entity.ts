import { Check, Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

import { ResourceEntity } from '../resources/resource.entity.js';

/** A user as the table has it. It is read as a `UserRow`, without the password; see `users.repository.ts`. */
@Entity('users')
@Check('users_role_known', `role in ('admin', 'editor', 'viewer')`)
@Index('users_email_key', ['canonicalEmail'], { unique: true })
export class UserEntity extends ResourceEntity {
  @PrimaryGeneratedColumn('identity', {
    generatedIdentity: 'BY DEFAULT',
    primaryKeyConstraintName: 'users_pkey',
  })
  id: number;

  /** As it was typed. */
  @Column({ type: 'varchar', length: 254 })
  email: string;

  /** As `canonicalEmail()` writes it: unique, and what users are found by. */
  @Column({ name: 'canonical_email', type: 'varchar', length: 762 })
  canonicalEmail: string;

  /** argon2id, in PHC format. */
  @Column({ name: 'password_hash', type: 'varchar', length: 255, select: false })
  passwordHash: string;

  @Column({ type: 'varchar', length: 200, nullable: true })
  name: string | null;

  @Column({ type: 'varchar', length: 20, default: 'viewer' })
  role: string;
}
