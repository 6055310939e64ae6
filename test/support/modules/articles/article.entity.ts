import { ChoiceArray, Decimal, Json, Nested, ResourceEntity, Text, TextArray, Timestamp } from '@plinth/core';
import { Entity } from 'typeorm';

export class Position {
  @Decimal({ precision: 9, scale: 6, min: -90, max: 90 })
  lat: number;

  @Text({ max: 20, nullable: true, default: null })
  label: string | null;
}

export class Place {
  @Text({ max: 20 })
  city: string;

  @Text({ max: 10, default: `it's "new"` })
  state: string;

  @Text({ max: 10, nullable: true, default: null })
  zip: string | null;

  @Timestamp({ optional: true })
  since?: string;

  @TextArray({ maxItems: 3, max: 10, default: [] })
  labels: string[];

  @Nested(Position, { nullable: true, default: null })
  position: Position | null;
}

/** A resource with arrays and JSON. */
@Entity('articles')
export class Article extends ResourceEntity {
  @Text({ max: 20 })
  title: string;

  @TextArray({ maxItems: 4, max: 10, default: [] })
  tags: string[];

  /** The default has texts that an array literal of PostgreSQL must quote. */
  @TextArray({ maxItems: 5, max: 10, default: [`it's`, 'say "hi"', 'null', 'a b', '{},\\'] })
  keywords: string[];

  @TextArray({ minItems: 1, maxItems: 3, max: 20, unique: true, nullable: true })
  authors: string[] | null;

  @ChoiceArray({ of: ['mail', 'sms', 'push'], default: ['mail'] })
  channels: ('mail' | 'sms' | 'push')[];

  @Json({ type: Place, nullable: true })
  place: Place | null;

  @Json({ type: Position, default: { lat: 0.5, label: `it's` } })
  position: Position;
}
