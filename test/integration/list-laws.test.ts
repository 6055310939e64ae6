import {
  anyOf,
  atLeast,
  atMost,
  Choice,
  ChoiceArray,
  contains,
  DateOnly,
  Decimal,
  defineList,
  Email,
  equals,
  Flag,
  Id,
  Integer,
  Json,
  Money,
  ResourceEntity,
  Text,
  TextArray,
  Timestamp,
  Url,
} from '@plinth/core';
import { Column, Entity, Index, Unique } from 'typeorm';

import { Supplier } from '../../packages/core/test/examples/suppliers/supplier.entity.js';
import { supplierList } from '../../packages/core/test/examples/suppliers/supplier.resource.js';
import { listFaults } from '../../packages/dev/src/laws/lists.js';
import { findChanges } from '../../packages/dev/src/migrations/changes.js';
import { useChangingDatabase } from '../support/changing-database.js';

@Entity('scratch_notes')
class Note extends ResourceEntity {
  @Text({ max: 50 })
  author: string;

  @Integer({ nullable: true })
  size: number | null;

  @Integer({ computed: ({ author = '' }) => `length(${author})` })
  nameLength: number;
}

const note = {
  name: 'notes',
  filters: { author: anyOf('author'), minSize: atLeast('size') },
  sorts: ['size'],
} as const;

/** A module as `plinth generate resource offers --parent products --owner user` writes it. */
@Entity('scratch_offers')
@Index(['productId', 'createdAt', 'id'])
@Index(['productId', 'price', 'id'])
@Index(['userId'])
class Offer extends ResourceEntity {
  @Id()
  productId: number;

  @Id()
  userId: number;

  @Text({ max: 100 })
  title: string;

  @Money()
  price: number;
}

class Maker {
  @Text({ max: 50 })
  name: string;

  @Integer()
  founded: number;
}

/** A module with a field of each type that `plinth generate` knows. */
@Entity('scratch_parts')
@Unique(['contact'])
class Part extends ResourceEntity {
  @Text({ max: 200, nullable: true })
  name: string | null;

  @Choice({ of: ['new', 'used'] })
  state: string;

  @Flag()
  isHeavy: boolean;

  @Decimal({ precision: 3, scale: 2 })
  rating: number;

  @DateOnly()
  madeOn: string;

  @Timestamp({ nullable: true })
  soldAt: string | null;

  @Email()
  contact: string;

  @Url()
  homepage: string;

  @Column('text', { array: true })
  notes: string[];

  @TextArray({ maxItems: 5, max: 30 })
  tags: string[];

  @ChoiceArray({ of: ['indoor', 'outdoor', 'garden'] })
  places: string[];

  @Json({ type: Maker })
  maker: Maker;
}

describe('the law of lists', () => {
  const database = useChangingDatabase();

  it('accepts the indexes that migration:generate writes', async () => {
    const dataSource = await database.connect({ entities: [Note, Supplier, Offer, Part] });
    const noteList = defineList(Note, note);
    const offerList = defineList(Offer, {
      name: 'offers',
      filters: {
        userId: equals('userId'),
        title: equals('title'),
        minPrice: atLeast('price'),
        maxPrice: atMost('price'),
      },
      sorts: ['price'],
    });
    const partList = defineList(Part, {
      name: 'parts',
      filters: {
        state: equals('state'),
        isHeavy: equals('isHeavy'),
        contact: equals('contact'),
        minRating: atLeast('rating'),
        soldFrom: atLeast('soldAt'),
        tag: contains('tags'),
        place: contains('places'),
        maker: contains('maker', 'name'),
        founded: contains('maker', 'founded'),
      },
      sorts: ['name', 'state', 'rating', 'madeOn', 'soldAt'],
      totals: ['state'],
      search: { name: 'A', homepage: 'B' },
    });
    await findChanges(dataSource, [noteList, supplierList, offerList, partList]);
    expect(
      await listFaults(dataSource, [
        { list: noteList, fixed: [] },
        { list: supplierList, fixed: [] },
        { list: offerList, fixed: ['productId'] },
        { list: offerList, fixed: [] },
        { list: partList, fixed: [] },
      ]),
    ).toEqual([]);
  });

  it('names the list, the query and the missing index if a page is found by reading the table', async () => {
    const dataSource = await database.connect({ entities: [Note] });
    const list = defineList(Note, { ...note, filters: { author: anyOf('author') }, sorts: ['nameLength'] });
    await findChanges(dataSource, [list]);
    await dataSource.query('drop index scratch_notes_created_at');
    await dataSource.query('create index scratch_notes_created_at on scratch_notes (created_at, id)');
    const faults = await listFaults(dataSource, [{ list, fixed: [] }]);
    expect(faults).toEqual(
      expect.arrayContaining([
        expect.stringMatching(
          /^list notes, \?author=word-\d+&sort=createdAt:asc&page=1: reads \d+ of 4000 rows of scratch_notes for one page \(Index Scan.*\); it needs an index on "scratch_notes" \("author", "created_at", "id"\), or declare `unindexed: \['author'\]` in list notes$/,
        ),
        expect.stringMatching(
          /^list notes, \?sort=nameLength:asc&page=1: .*; it needs an index of your own, or declare `unindexed: \['nameLength'\]` in list notes$/,
        ),
      ]),
    );
    const declared = defineList(Note, {
      ...note,
      sorts: ['nameLength'],
      filters: { author: anyOf('author') },
      unindexed: ['author', 'nameLength'],
    });
    expect(await listFaults(dataSource, [{ list: declared, fixed: [] }])).toEqual([]);
  });

  it('names the missing index of contains() for an array and for JSON, with values that rows have', async () => {
    const dataSource = await database.connect({ entities: [Part] });
    const filters = { tag: contains('tags'), founded: contains('maker', 'founded') };
    const list = defineList(Part, { name: 'parts', filters });
    await findChanges(dataSource, [list]);
    await dataSource.query('drop index scratch_parts_tags, scratch_parts_maker');
    const faults = await listFaults(dataSource, [{ list, fixed: [] }]);
    for (const [name, column] of [
      ['tag', 'tags'],
      ['founded', 'maker'],
    ] as const)
      expect(faults).toContainEqual(
        expect.stringMatching(
          new RegExp(
            `^list parts, \\?${name}=.* reads \\d+ of 4000 rows .*; it needs an index on "scratch_parts" using gin \\("${column}"\\), or declare \`unindexed: \\['${name}'\\]\` in list parts$`,
          ),
        ),
      );
    const declared = defineList(Part, { name: 'parts', filters, unindexed: ['tag', 'maker'] });
    expect(await listFaults(dataSource, [{ list: declared, fixed: [] }])).toEqual([]);
  });

  it('leaves no copy of a table behind, and the table as it was', async () => {
    const dataSource = await database.connect({ entities: [Note] });
    const list = defineList(Note, note);
    await findChanges(dataSource, [list]);
    await listFaults(dataSource, [{ list, fixed: [] }]);
    const [row] = await dataSource.query(
      `select (select count(*)::int from scratch_notes) as rows, to_regnamespace('list_samples') as copies`,
    );
    expect(row).toEqual({ rows: 0, copies: null });
  });
});
