import { EntityTarget, ObjectLiteral } from 'typeorm';

import { Random } from './random.js';

/** What a generator works from. */
export interface GeneratorInput {
  /** How many rows to make. */
  readonly count: number;
  /** Its own stream of random numbers. */
  readonly random: Random;
  /** The latest point in time that may occur. */
  readonly now: Date;
}

/**
 * One kind of rows that the seed command can make. Listed in `generators.ts` it has an option of its name, a
 * progress bar and a place in the database.
 *
 * @example
 * export const TAGS: Generator<Pick<TagEntity, 'name'>> = {
 *   name: 'tags',
 *   entity: TagEntity,
 *   *rows({ count, random }) {
 *     for (let i = 0; i < count; i++) yield { name: random.pick(WORDS) };
 *   },
 * };
 */
export interface Generator<Row extends object = object> {
  /** In the plural: `products`. */
  readonly name: string;
  readonly entity: EntityTarget<ObjectLiteral>;
  /**
   * Makes `count` rows, one at a time, from nothing but the input: the same input gives the same rows. They all have
   * the same keys, properties of the entity; the columns of the others get their defaults.
   */
  rows(input: GeneratorInput): Iterable<Row>;
}
