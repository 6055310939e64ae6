import {
  Choice,
  ChoiceArray,
  contains,
  DateOnly,
  Decimal,
  defineList,
  Flag,
  Id,
  Integer,
  Json,
  ListOf,
  Money,
  Nested,
  ResourceEntity,
  Text,
  TextArray,
  Timestamp,
} from '@plinth/core';
import { Entity } from 'typeorm';

import { EntityTable } from '../../packages/core/src/database/entity-table.js';
import { CursorCodec } from '../../packages/core/src/lists/cursor.js';
import { readListQuery } from '../../packages/core/src/lists/list-query.js';
import { readPage } from '../../packages/core/src/lists/read-page.js';
import { ResourceRepository } from '../../packages/core/src/resources/resource-repository.js';
import { PRODUCT_NOT_FOUND } from '../../src/products/product.errors.js';
import { createDatabase, TestDatabase } from '../support/databases.js';
import { OpenDatabase, openDatabase } from '../support/open-database.js';

class Part {
  @Text({ max: 20 })
  name: string;

  @TextArray({ maxItems: 2, max: 20 })
  colors: string[];
}

class Shelf {
  @Integer()
  width: number;

  @ListOf(Part, { min: 0, max: 3 })
  parts: Part[];
}

class Detail {
  @Text({ max: 20 })
  text: string;
  @Integer({ min: -1e15, max: 1e15 })
  large: number;
  @Integer({ min: -5 })
  negative: number;
  @Decimal({ precision: 9, scale: 3 })
  exact: number;
  @Decimal()
  double: number;
  @Money()
  price: number;
  @Id()
  rowId: number;
  @Flag()
  on: boolean;
  @Flag()
  off: boolean;
  @DateOnly()
  day: string;
  @Timestamp()
  time: string;
  @Choice({ of: ['a', 'b'] })
  word: string;
  @TextArray({ maxItems: 3, max: 20 })
  texts: string[];
  @ChoiceArray({ of: ['x', 'y'] })
  words: string[];
  @ListOf(Shelf, { min: 0, max: 3 })
  shelves: Shelf[];
  @Nested(Shelf)
  top: Shelf;
}

@Entity('cupboards')
class Cupboard extends ResourceEntity {
  @Json({ type: Detail })
  detail: Detail;
}

const PART: Part = { name: `it's "new"`, colors: ['red', 'blue'] };
const SHELF: Shelf = { width: 7, parts: [{ name: 'other', colors: [] }, PART] };
const DETAIL: Detail = {
  text: 'a\\b',
  large: 900_719_925_474_099,
  negative: -5,
  exact: -1.25,
  double: 0.1234567890123456,
  price: 19.9,
  rowId: Number.MAX_SAFE_INTEGER,
  on: true,
  off: false,
  day: '2026-11-20',
  time: '2026-11-20T09:30:00.000Z',
  word: 'b',
  texts: ['one', 'two'],
  words: ['y'],
  shelves: [{ width: 1, parts: [] }, SHELF],
  top: SHELF,
};
const OTHER: Detail = {
  ...DETAIL,
  text: 'b',
  large: 5,
  negative: 0,
  exact: 1,
  double: 1e300,
  price: 0,
  rowId: 1,
  on: false,
  off: true,
  day: '2000-01-01',
  time: '2000-01-01T00:00:00.000Z',
  word: 'a',
  texts: [],
  words: [],
  shelves: [],
  top: { width: 0, parts: [] },
};

/** The path to a member, and a value with which only the first row is found. */
const MEMBERS: readonly (readonly [path: string, value: string])[] = [
  ['text', 'a\\b'],
  ['large', '900719925474099'],
  ['negative', '-5'],
  ['exact', '-1.250'],
  ['double', '0.1234567890123456'],
  ['price', '19.90'],
  ['rowId', '9007199254740991'],
  ['on', 'true'],
  ['off', 'false'],
  ['day', '2026-11-20'],
  ['time', '2026-11-20T10:30:00+01:00'],
  ['word', 'b'],
  ['texts', 'two'],
  ['words', 'y'],
  ['shelves.width', '7'],
  ['shelves.parts.name', `it's "new"`],
  ['shelves.parts.colors', 'blue'],
  ['top.width', '7'],
  ['top.parts.name', `it's "new"`],
];

const list = defineList(Cupboard, {
  name: 'cupboards',
  filters: Object.fromEntries(
    MEMBERS.map(([path]) => [path.replaceAll('.', '_'), contains('detail', ...path.split('.'))]),
  ),
});

describe('contains() of a member of JSON', () => {
  let database: TestDatabase;
  let open: OpenDatabase;
  let table: EntityTable;
  let row: Cupboard;
  const cursors = new CursorCodec(['a-secret-of-the-tests-of-32-bytes-or-more']);

  beforeAll(async () => {
    database = await createDatabase();
    open = await openDatabase(database.url, { poolSize: 2 }, [Cupboard]);
    await open.dataSource.synchronize();
    table = new EntityTable(open.dataSource.getMetadata(Cupboard));
    const cupboards = new ResourceRepository<Cupboard>(open.database, {
      entity: Cupboard,
      notFound: PRODUCT_NOT_FOUND,
    });
    row = await cupboards.insert({ detail: DETAIL });
    await cupboards.insert({ detail: OTHER });
  });
  afterAll(async () => {
    await open.close();
    await database.drop();
  });

  it.each(MEMBERS)('finds a row by %s', async (path, value) => {
    expect(row.detail).toEqual(DETAIL);
    const text = String(new URLSearchParams({ [path.replaceAll('.', '_')]: value }));
    const { rows } = await readPage<Cupboard>(table, readListQuery(list, text, cursors), open.database);
    expect(rows.map(({ id }) => id)).toEqual([row.id]);
  });
});
