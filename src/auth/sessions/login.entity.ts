import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import type { Relation } from 'typeorm';

import { ResourceEntity } from '../../resources/resource.entity.js';
import { UserEntity } from '../../users/user.entity.js';

/** A login of a user, which issued a session, refresh tokens or both. `/sessions` shows logins. */
@Entity('logins')
@Index('logins_user_id_created_at', ['userId', 'createdAt', 'id'])
@Index('logins_expires_at', ['expiresAt'])
export class LoginEntity extends ResourceEntity {
  @Column({ name: 'user_id', type: 'int' })
  userId: number;

  @ManyToOne(() => UserEntity, { onDelete: 'CASCADE', nullable: false })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'logins_user_id_fkey' })
  user: Relation<UserEntity>;

  @Column({ name: 'user_agent', type: 'varchar', length: 500, nullable: true })
  userAgent: string | null;

  @Column({ type: 'varchar', length: 45, nullable: true })
  address: string | null;

  @Column({ name: 'last_seen_at', type: 'timestamptz', precision: 3, default: () => 'now()' })
  lastSeenAt: Date;

  /** When the last of what it issued expires. */
  @Column({ name: 'expires_at', type: 'timestamptz', precision: 3 })
  expiresAt: Date;
}

/** A session, where sessions are stored in the database. */
@Entity('sessions')
@Index('sessions_login_id', ['loginId'])
@Index('sessions_expires_at', ['expiresAt'])
export class SessionEntity {
  /** SHA-256 of the session's id. */
  @PrimaryColumn({ type: 'bytea', primaryKeyConstraintName: 'sessions_pkey' })
  digest: Buffer;

  @Column({ name: 'login_id', type: 'int' })
  loginId: number;

  @ManyToOne(() => LoginEntity, { onDelete: 'CASCADE', nullable: false })
  @JoinColumn({ name: 'login_id', foreignKeyConstraintName: 'sessions_login_id_fkey' })
  login: Relation<LoginEntity>;

  @Column({ name: 'expires_at', type: 'timestamptz', precision: 3 })
  expiresAt: Date;
}

/** A refresh token. Those of one login are a family, of which at most one is unused. */
@Entity('refresh_tokens')
@Index('refresh_tokens_login_id', ['loginId'])
export class RefreshTokenEntity {
  /** SHA-256 of the token. */
  @PrimaryColumn({ type: 'bytea', primaryKeyConstraintName: 'refresh_tokens_pkey' })
  digest: Buffer;

  @Column({ name: 'login_id', type: 'int' })
  loginId: number;

  @ManyToOne(() => LoginEntity, { onDelete: 'CASCADE', nullable: false })
  @JoinColumn({ name: 'login_id', foreignKeyConstraintName: 'refresh_tokens_login_id_fkey' })
  login: Relation<LoginEntity>;

  @Column({ name: 'expires_at', type: 'timestamptz', precision: 3 })
  expiresAt: Date;

  @Column({ name: 'used_at', type: 'timestamptz', precision: 3, nullable: true })
  usedAt: Date | null;
}

/** An address that a user has logged in from: the failed logins of others do not lock them out there. */
@Entity('login_addresses')
@Index('login_addresses_last_seen_at', ['lastSeenAt'])
export class LoginAddressEntity {
  @PrimaryColumn({ name: 'user_id', type: 'int', primaryKeyConstraintName: 'login_addresses_pkey' })
  userId: number;

  @ManyToOne(() => UserEntity, { onDelete: 'CASCADE', nullable: false })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'login_addresses_user_id_fkey' })
  user: Relation<UserEntity>;

  /** As `addressKey()` writes it: an IPv6 address as its /64. */
  @PrimaryColumn({ type: 'varchar', length: 45, primaryKeyConstraintName: 'login_addresses_pkey' })
  address: string;

  @Column({ name: 'last_seen_at', type: 'timestamptz', precision: 3, default: () => 'now()' })
  lastSeenAt: Date;
}
