import { Column, Entity, Index, JoinColumn, ManyToOne } from 'typeorm';
import type { Relation } from 'typeorm';

import { ResourceEntity } from '../../resources/resource.entity.js';
import { UserEntity } from '../../users/user.entity.js';

/** An API key, with which a program acts on behalf of its owner. */
@Entity('api_keys')
@Index('api_keys_digest_key', ['digest'], { unique: true })
@Index('api_keys_user_id_created_at', ['userId', 'createdAt', 'id'])
@Index('api_keys_created_at', ['createdAt', 'id'])
export class ApiKeyEntity extends ResourceEntity {
  @Column({ name: 'user_id', type: 'int' })
  userId: number;

  @ManyToOne(() => UserEntity, { onDelete: 'CASCADE', nullable: false })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'api_keys_user_id_fkey' })
  user: Relation<UserEntity>;

  @Column({ type: 'varchar', length: 200 })
  name: string;

  /** As `permission-list.ts` writes them. */
  @Column({ type: 'varchar', length: 100 })
  permissions: string;

  /** The first characters of the key, by which its owner recognizes it. */
  @Column({ type: 'varchar', length: 6 })
  hint: string;

  /** SHA-256 of the key. */
  @Column({ type: 'bytea', select: false })
  digest: Buffer;

  @Column({ name: 'last_used_at', type: 'timestamptz', precision: 3, nullable: true })
  lastUsedAt: Date | null;
}
