import { CreateDateColumn, UpdateDateColumn, VersionColumn } from 'typeorm';

import { TIMESTAMP_CODEC } from '../fields/codec.js';
import { Id, Timestamp } from '../fields/fields.js';

/**
 * Declares the columns that every resource has: `id`, `createdAt`, `updatedAt` and `version`. Entity tags and cursors
 * rely on them. `ResourceRepository` and TypeORM keep them up to date. For writes by other SQL, a trigger keeps them up
 * to date.
 *
 * Do not extend it for a table that is not a resource, such as a join table.
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

  /** Starts at 1, and increases with each change of the row. Entity tags contain it. */
  @VersionColumn({ type: 'int', default: 1 })
  version: number;
}
