import { DeleteDateColumn, Entity, Unique } from 'typeorm';

import {
  ArrayOf,
  BigInteger,
  Choice,
  date,
  DateOnly,
  decimal,
  Decimal,
  Email,
  Flag,
  integer,
  Integer,
  Json,
  Money,
  text,
  Text,
  timestamp,
  Timestamp,
  Url,
  Uuid,
  UuidResourceEntity,
} from '../../../../src/core/index.js';

/** A resource with a field of every kind, a UUID as its id, and rows that are kept when they are deleted. */
@Entity('parcels')
@Unique(['label'])
export class Parcel extends UuidResourceEntity {
  @Text({ max: 50 })
  label: string;

  @Choice({ of: ['small', 'large'], column: { type: 'enum', enum: ['small', 'large'], length: undefined } })
  size: 'small' | 'large';

  @Money()
  price: number;

  @Decimal({ precision: 6, scale: 3, min: 0, default: 1.5 })
  weight: number;

  @Integer({ default: 1 })
  pieces: number;

  @BigInteger({ nullable: true })
  bytes: number | null;

  @Flag({ default: false })
  insured: boolean;

  @DateOnly({ nullable: true })
  shippedOn: string | null;

  @Timestamp({ nullable: true })
  dueAt: string | null;

  @Uuid({ nullable: true })
  sender: string | null;

  @Url({ nullable: true })
  link: string | null;

  @Email({ nullable: true })
  contact: string | null;

  @Json({ max: 1000, nullable: true })
  customs: Record<string, unknown> | null;

  @ArrayOf(text({ max: 10 }), { max: 3, unique: true, default: [] })
  tags: string[];

  @ArrayOf(integer({}), { max: 3, nullable: true })
  codes: number[] | null;

  @ArrayOf(decimal({ precision: 6, scale: 3 }), { max: 3, nullable: true })
  sides: number[] | null;

  @ArrayOf(date, { max: 3, nullable: true })
  days: string[] | null;

  @ArrayOf(timestamp, { max: 3, nullable: true })
  scans: string[] | null;

  @DeleteDateColumn({ type: 'timestamptz', precision: 3, select: false })
  deletedAt: Date | null;
}
