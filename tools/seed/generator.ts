import { EntityTarget, ObjectLiteral } from 'typeorm';

import { Existing } from './existing.js';
import { Random } from './random.js';

/** The properties of an entity that a generator makes; times are still `Date`s, which the driver writes. */
export type Seeded<Entity, K extends keyof Entity> = {
  [P in K]: P extends 'createdAt' | 'updatedAt' ? Date : Entity[P];
};

/** The input of a generator. */
export interface GeneratorInput {
  /** How many rows to make. */
  readonly count: number;
  /** Its own stream of random numbers. */
  readonly random: Random;
  /** The latest point in time that may occur. */
  readonly now: Date;
  /** The highest id of its table, 0 where that is empty: numbers above it are in no e-mail address yet. */
  readonly lastId: number;
  /** Rows that its rows can refer to, as far as it `needs` them; the rest is empty. */
  readonly existing: Existing;
}

/** Rows of another table that are a part of each row, such as the items of an order. */
export interface Parts {
  readonly entity: EntityTarget<ObjectLiteral>;
  /** The property of a row that has an array of them. */
  readonly property: string;
  /** Their own property that gets the row's id. */
  readonly owner: string;
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
  /** Written in the transaction of their rows. */
  readonly parts?: Parts;
  /** The kinds of rows that must exist, or be made before, because its rows refer to them. */
  readonly needs?: readonly (keyof Existing)[];
  /** Other tables that triggers change when rows are added: they are tidied too. */
  readonly changes?: readonly EntityTarget<ObjectLiteral>[];
  /** Data that all rows of a run share: expensive to make, or different from run to run. */
  readonly shared?: () => Promise<object>;
  /** A note for whoever added the rows. */
  readonly note?: string;
  /**
   * Makes `count` rows, one at a time, from nothing but the input: the same input gives the same rows. They all have
   * the same keys, properties of the entity and that of its `parts`; the columns of the others get their defaults.
   *
   * Where rows must be unique, one that the database has already is passed over. Such a generator goes on past
   * `count`, as long as it has other rows: it is asked for as many as it takes.
   */
  rows(input: GeneratorInput): Iterable<Row>;
}
