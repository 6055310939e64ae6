import { Check, Column, Entity, Index } from 'typeorm';

import { ResourceEntity } from '../resources/resource.entity.js';

/** The table of users. Rows are read as `UserRow`, without the password. */
@Entity('users')
@Check('users_role_known', `role in ('admin', 'editor', 'viewer')`)
@Index('users_email_key', ['canonicalEmail'], { unique: true })
@Index('users_created_at', ['createdAt', 'id'])
// With the collation that lists sort by, which TypeORM cannot write.
@Index('users_email_sorted', { synchronize: false })
export class UserEntity extends ResourceEntity {
  /** As it was typed. */
  @Column({ type: 'varchar', length: 254 })
  email: string;

  /** The result of `canonicalEmail()`: unique, and what users are found by. */
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
