import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

import { accountClass } from '../accounts/account.entity.js';
import { ID_CODEC } from '../fields/codec.js';
import { Id, Text, Timestamp } from '../fields/fields.js';
import { ResourceEntity } from '../resources/resource.entity.js';

/**
 * A login of a user. It has a session, refresh tokens, or both. When the login ends, its session and its refresh tokens
 * become invalid. Clients see logins as `/sessions`. Use the entity to declare the DTO of a session.
 *
 * Do not insert rows yourself: `LoginsService.login()` verifies the password and issues the secrets.
 * @example export class SessionDto extends PickOf(Login, ['id', 'userAgent', 'lastSeenAt']) {}
 */
@Entity('logins')
@Index('logins_user_id_created_at', ['userId', 'createdAt', 'id'])
@Index('logins_expires_at', ['expiresAt'])
export class Login extends ResourceEntity {
  @Id({ readOnly: true })
  @ForeignKey(accountClass, { onDelete: 'CASCADE' })
  userId: number;

  @Text({
    max: 500,
    blank: true,
    nullable: true,
    readOnly: true,
    example: 'Mozilla/5.0',
    description: 'The `User-Agent` of the request that logged in.',
  })
  userAgent: string | null;

  @Text({ max: 45, nullable: true, readOnly: true, example: '192.0.2.7' })
  address: string | null;

  @Timestamp({
    readOnly: true,
    description: 'When the login was last used, accurate to a few minutes.',
    column: { default: () => 'now()' },
  })
  lastSeenAt: string;

  /** The time at which the last session or refresh token of the login expires. */
  @Timestamp({ readOnly: true })
  expiresAt: string;
}

/** A secret that a login issued. Only the digest of the secret is stored. */
abstract class IssuedSecret {
  @PrimaryColumn({ type: 'bytea' })
  digest: Buffer;

  @Column({ type: 'bigint', transformer: ID_CODEC })
  @ForeignKey(() => Login, { onDelete: 'CASCADE' })
  loginId: number;

  @Column({ type: 'timestamptz', precision: 3 })
  expiresAt: Date;
}

@Entity('sessions')
@Index('sessions_login_id', ['loginId'])
export class SessionEntity extends IssuedSecret {}

/** A refresh token. The tokens of one login form a family. At most one token of a family is unused. */
@Entity('refresh_tokens')
@Index('refresh_tokens_login_id', ['loginId'])
@Index('refresh_tokens_expires_at', ['expiresAt'])
export class RefreshTokenEntity extends IssuedSecret {
  /** When the token was exchanged for a new token. `null` if it was not. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  usedAt: Date | null;
}

/**
 * An IP address from which a user has logged in. At such an address, the limit on failed logins counts only attempts
 * for this user from this address. So attempts from other addresses cannot lock the user out.
 */
@Entity('login_addresses')
@Index('login_addresses_last_seen_at', ['lastSeenAt'])
export class LoginAddressEntity {
  @PrimaryColumn({ type: 'bigint', transformer: ID_CODEC })
  @ForeignKey(accountClass, { onDelete: 'CASCADE' })
  userId: number;

  /** The result of `addressKey()`, which shortens an IPv6 address to its /64 prefix. */
  @PrimaryColumn({ type: 'varchar', length: 45 })
  address: string;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  lastSeenAt: Date;
}
