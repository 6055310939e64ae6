import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The stored response to a request with an `Idempotency-Key`. */
@Entity('idempotency_keys')
@Index('idempotency_keys_created_at', ['createdAt'])
export class IdempotencyKeyEntity {
  @PrimaryColumn({ type: 'varchar', length: 100 })
  caller: string;

  /** SHA-256 of it. */
  @PrimaryColumn({ type: 'varchar', length: 255 })
  key: string;

  /** Of what was asked for. */
  @Column({ type: 'varchar', length: 64 })
  fingerprint: string;

  @Column({ type: 'smallint' })
  status: number;

  @Column({ type: 'jsonb' })
  headers: Record<string, string>;

  /** Sealed with the key, which only who sent it has. */
  @Column({ type: 'text' })
  json: string;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt: Date;
}
