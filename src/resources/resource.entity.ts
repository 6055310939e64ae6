import { Column } from 'typeorm';

/** The columns that every resource has beside its id: see `ResourceRepository`, which writes them. */
export abstract class ResourceEntity {
  /** Counts the changes of the row: its entity tags are made of it. */
  @Column({ type: 'int', default: 1 })
  version: number;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt: Date;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3, default: () => 'now()' })
  updatedAt: Date;
}
