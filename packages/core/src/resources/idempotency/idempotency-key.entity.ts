import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * An `Idempotency-Key` with the response to its request. The transaction of the request inserts the row first, to claim
 * the key, and adds the response at the end. No other transaction sees a row without a response.
 */
@Entity('idempotency_keys')
@Index('idempotency_keys_created_at', ['createdAt'])
export class IdempotencyKeyEntity {
  @PrimaryColumn({ type: 'varchar', length: 100 })
  caller: string;

  @PrimaryColumn({ type: 'varchar', length: 255 })
  key: string;

  @Column({ type: 'varchar', length: 64 })
  fingerprint: string;

  @Column({ type: 'smallint', nullable: true })
  status: number | null;

  /** The names are in lower case. */
  @Column({ type: 'jsonb', nullable: true })
  headers: Record<string, string> | null;

  /**
   * The body of the response. It is encrypted with a secret that is derived from the key, and only the sender has the
   * key.
   */
  @Column({ type: 'bytea', nullable: true })
  sealedJson: Buffer | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt: Date;
}
