import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

import { ID_CODEC } from '../fields/codec.js';
import { accountClass } from './account.entity.js';

/**
 * The token of a link in a mail. It is deleted when it is used. If the password or the e-mail of the user changes
 * before that, a trigger deletes it.
 */
@Entity('account_tokens')
@Index('account_tokens_user_id', ['userId'])
@Index('account_tokens_expires_at', ['expiresAt'])
export class AccountToken {
  @PrimaryColumn({ type: 'bytea' })
  digest: Buffer;

  @Column({ type: 'bigint', transformer: ID_CODEC })
  @ForeignKey(accountClass, { onDelete: 'CASCADE' })
  userId: number;

  @Column({ type: 'varchar', length: 20 })
  purpose: string;

  @Column({ type: 'timestamptz', precision: 3 })
  expiresAt: Date;
}
