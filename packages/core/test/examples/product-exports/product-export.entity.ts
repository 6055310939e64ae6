import { Id, ResourceEntity, Text, Timestamp } from '@plinth/core';
import { Entity } from 'typeorm';

/** An export of products, which its user gets by mail. */
@Entity('product_exports')
export class ProductExport extends ResourceEntity {
  @Id({ readOnly: true, description: 'The user who gets the mail.' })
  userId: number;

  @Text({ max: 100, nullable: true, example: 'lighting', description: 'The category, or null for all.' })
  category: string | null;

  @Timestamp({ readOnly: true, nullable: true, description: 'When the export was finished.' })
  finishedAt: string | null;
}
