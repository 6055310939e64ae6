import { CreateDateColumn, PrimaryGeneratedColumn, UpdateDateColumn, VersionColumn } from 'typeorm';

import { TIMESTAMP_CODEC } from '../fields/codec.js';
import { Id, Timestamp } from '../fields/fields.js';

/**
 * Columns common to all resources, kept by `ResourceRepository`, TypeORM's own writes, and a trigger for others.
 * @example
 * @Entity('products')
 * export class Product extends ResourceEntity { … }
 */
export abstract class ResourceEntity {
  @PrimaryGeneratedColumn('identity', { type: 'int', generatedIdentity: 'BY DEFAULT' })
  @Id({ readOnly: true, column: false })
  id: number;

  /** Counts the changes of the row, from 1: its entity tags are made of it. */
  @VersionColumn({ type: 'int', default: 1 })
  version: number;

  @CreateDateColumn({ type: 'timestamptz', precision: 3, transformer: TIMESTAMP_CODEC })
  @Timestamp({ readOnly: true, column: false })
  createdAt: string;

  @UpdateDateColumn({ type: 'timestamptz', precision: 3, transformer: TIMESTAMP_CODEC })
  @Timestamp({ readOnly: true, column: false })
  updatedAt: string;
}
