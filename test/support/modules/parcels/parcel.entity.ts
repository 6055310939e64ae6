import {
  Choice,
  DateOnly,
  Decimal,
  Email,
  Flag,
  Integer,
  Money,
  Text,
  Timestamp,
  Url,
  ResourceEntity,
} from '@plinth/core';
import { Entity, Unique } from 'typeorm';

/** A resource with a field of every kind. */
@Entity('parcels')
@Unique(['label'])
export class Parcel extends ResourceEntity {
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

  @Flag({ default: false })
  insured: boolean;

  @DateOnly({ nullable: true })
  shippedOn: string | null;

  @Timestamp({ nullable: true })
  dueAt: string | null;

  @Url({ nullable: true })
  link: string | null;

  @Email({ nullable: true })
  contact: string | null;
}
