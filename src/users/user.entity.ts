import { Check, Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** A user as the table has it. It is read as a `UserRow`, without the password; see `users.repository.ts`. */
@Entity('users')
@Check('users_role_known', `role in ('admin', 'editor', 'viewer')`)
// On lower(email): unique without regard to case.
@Index('users_email_key', { synchronize: false })
export class UserEntity {
  @PrimaryGeneratedColumn('identity', {
    generatedIdentity: 'BY DEFAULT',
    primaryKeyConstraintName: 'users_pkey',
  })
  id: number;

  @Column({ type: 'varchar', length: 254 })
  email: string;

  /** argon2id, in PHC format. */
  @Column({ name: 'password_hash', type: 'varchar', length: 255, select: false })
  passwordHash: string;

  @Column({ type: 'varchar', length: 200, nullable: true })
  name: string | null;

  @Column({ type: 'varchar', length: 20, default: 'viewer' })
  role: string;

  @Column({ type: 'int', default: 1 })
  version: number;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt: Date;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3, default: () => 'now()' })
  updatedAt: Date;
}
