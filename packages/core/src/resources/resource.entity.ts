import { CreateDateColumn, UpdateDateColumn, VersionColumn } from 'typeorm';

import { TIMESTAMP_CODEC } from '../fields/codec.js';
import { Id, Timestamp } from '../fields/fields.js';

/**
 * The columns that every resource has. `ResourceRepository`, the writes of TypeORM and a trigger keep them up to date.
 * @example
 * @Entity('products')
 * export class Product extends ResourceEntity { … }
 */
export abstract class ResourceEntity {
  @Id({
    readOnly: true,
    column: { primary: true, generated: 'identity', generatedIdentity: 'BY DEFAULT' },
  })
  id: number;

  @CreateDateColumn({ type: 'timestamptz', precision: 3, transformer: TIMESTAMP_CODEC })
  @Timestamp({ readOnly: true, column: false })
  createdAt: string;

  @UpdateDateColumn({ type: 'timestamptz', precision: 3, transformer: TIMESTAMP_CODEC })
  @Timestamp({ readOnly: true, column: false })
  updatedAt: string;

  /** Starts at 1 and grows with each change of the row. Entity tags contain it. */
  @VersionColumn({ type: 'int', default: 1 })
  version: number;
}
