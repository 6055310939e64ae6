import { Check, Column, Entity, Index, JoinColumn, ManyToOne } from 'typeorm';

import { ResourceEntity } from '../resources/resource.entity.js';

/** What one user or key may, or may not, do with one resource, whatever the role says. */
@Entity('access_grants')
@Check('access_grants_one_principal', 'num_nonnulls(user_id, api_key_id) = 1')
@Check('access_grants_effect_known', `effect in ('allow', 'deny')`)
@Index('access_grants_user_id', ['userId'])
@Index('access_grants_api_key_id', ['apiKeyId'])
@Index('access_grants_created_at', ['createdAt', 'id'])
export class GrantEntity extends ResourceEntity {
  @Column({ name: 'resource_type', type: 'varchar', length: 20 })
  resourceType: string;

  @Column({ name: 'resource_id', type: 'int' })
  resourceId: number;

  @Column({ name: 'user_id', type: 'int', nullable: true })
  userId: number | null;

  // By name: what is below the features imports none of them.
  @ManyToOne('UserEntity', { onDelete: 'CASCADE', nullable: true })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'access_grants_user_id_fkey' })
  user: unknown;

  @Column({ name: 'api_key_id', type: 'int', nullable: true })
  apiKeyId: number | null;

  @ManyToOne('ApiKeyEntity', { onDelete: 'CASCADE', nullable: true })
  @JoinColumn({ name: 'api_key_id', foreignKeyConstraintName: 'access_grants_api_key_id_fkey' })
  apiKey: unknown;

  /** As `permission-list.ts` writes them. */
  @Column({ type: 'varchar', length: 100 })
  permissions: string;

  @Column({ type: 'varchar', length: 5 })
  effect: string;
}
