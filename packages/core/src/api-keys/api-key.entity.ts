import { Column, Entity, ForeignKey, Index } from 'typeorm';

import { PermissionList } from '../access/permissions.js';
import { type Permission, PERMISSIONS } from '../config/define-access.js';
import { accountClass } from '../accounts/account.entity.js';
import { Id, Text, Timestamp } from '../fields/fields.js';
import { ResourceEntity } from '../resources/resource.entity.js';

/**
 * An API key, with which a program acts on behalf of its owner. Only a digest of the key is stored. Use the entity to
 * declare the DTOs of your API keys.
 *
 * Do not insert rows yourself: `ApiKeysService.create()` creates the secret and checks the permissions.
 * @example export class ApiKeyDto extends PickOf(ApiKey, ['id', 'name', 'hint']) {}
 */
@Entity('api_keys')
@Index('api_keys_digest_key', ['digest'], { unique: true })
@Index('api_keys_user_id_created_at', ['userId', 'createdAt', 'id'])
export class ApiKey extends ResourceEntity {
  @Id({ readOnly: true, description: 'The owner. The key acts on behalf of this user.' })
  @ForeignKey(accountClass, { onDelete: 'CASCADE' })
  userId: number;

  @Text({ max: 200, example: 'Nightly export' })
  name: string;

  @PermissionList({
    of: PERMISSIONS,
    description: 'The permissions of the key. The key can use a permission only while its owner has it too.',
    example: ['read'],
  })
  permissions: Permission[];

  @Text({ max: 6, readOnly: true, example: 'pX3_aQ', description: 'The first characters of the key.' })
  hint: string;

  /**
   * The SHA-256 of the key. It has no field decorator, so that no DTO can contain it. Queries do not select it by
   * default.
   */
  @Column({ type: 'bytea', select: false })
  digest?: Buffer;

  @Timestamp({
    nullable: true,
    readOnly: true,
    description: 'When the key was last used, accurate to a minute. `null` if it has never been used.',
  })
  lastUsedAt: string | null;
}
