import { Client } from 'pg';
import { Column, Entity } from 'typeorm';

import { queryOf, rowsOf } from '../../src/database/connection.js';
import { Reader } from '../../src/database/replicas/replica.js';
import { newKeptMemory } from '../../src/database/kept-memory.js';
import { RowCache } from '../../src/database/row-cache.js';
import { RowReader } from '../../src/database/row-reader.js';
import { Table } from '../../src/database/table.js';
import { Codec } from '../../src/fields/codec.js';
import { Text } from '../../src/fields/fields.js';
import { ListReader } from '../../src/lists/list-reader.js';
import { Product } from '../../src/products/product.entity.js';
import { PRODUCT_NOT_FOUND } from '../../src/products/product.errors.js';
import { ResourceRepository } from '../../src/resources/resource-repository.js';
import { UuidResourceEntity } from '../../src/resources/resource.entity.js';
import { createDatabase, TestDatabase } from '../support/databases.js';
import { productsAsked } from '../support/kept-rows.js';
import { makeTables } from '../support/make-tables.js';
import { OpenDatabase, openDatabase } from '../support/open-database.js';

/** As libraries of dates and numbers have them: what all values share, and what is computed when it is asked for. */
class Amount {
  static readonly shared = { uses: 0, of: [] as Amount[] };
  readonly shared = Amount.shared;
  private digits: number | undefined;

  constructor(private readonly text: string) {
    Amount.shared.uses++;
    Amount.shared.of = [this];
  }

  get length(): number {
    return (this.digits ??= this.text.length);
  }
}

const AMOUNT: Codec = {
  select: (column) => `${column}::text`,
  raw: { select: (column) => `${column}::text`, read: (text) => new Amount(text) },
  from: (value: string) => new Amount(value),
  to: String,
};

@Entity('pictures')
class Picture extends UuidResourceEntity {
  @Text({ max: 50 })
  title: string;

  @Column('bytea')
  content: Buffer;

  @Column('bytea', { array: true })
  parts: Buffer[];

  @Column('jsonb')
  meta: { tags: string[]; size: { width: number } };

  @Column('timestamp')
  taken: Date;

  @Column('interval')
  shown: { days: number };

  @Column('numeric', { transformer: AMOUNT })
  amount: Amount;
}

describe('rows that are kept, of values that are more than texts and numbers', () => {
  let database: TestDatabase;
  let open: OpenDatabase;
  let pictures: ResourceRepository<Picture>;
  let id: string;

  const repository = (): ResourceRepository<Picture> =>
    new ResourceRepository(open.database, { entity: Picture, notFound: PRODUCT_NOT_FOUND });

  beforeAll(async () => {
    database = await createDatabase();
    open = await openDatabase(database.url, { rowCacheBytes: 2 ** 20 }, [Picture]);
    await makeTables(open.dataSource);
    pictures = repository();
    const [row] = await database.query<{ id: string }>(
      `insert into pictures (title, content, parts, meta, taken, shown, amount) values
       ('a', '\\x0102', '{"\\\\x03"}', '{"tags": ["x"], "size": {"width": 3}}', '2026-01-01', '2 days', 12.34) returning id`,
    );
    id = row!.id;
  });
  afterAll(async () => {
    await open.close();
    await database.drop();
  });

  it('are read as they are', async () => {
    const { content, parts, meta, taken, shown, amount } = await pictures.get(id);
    expect([content, parts]).toEqual([Buffer.from([1, 2]), [Buffer.from([3])]]);
    expect([meta, taken, shown]).toMatchObject([{ tags: ['x'] }, expect.any(Date), { days: 2 }]);
    expect(amount.length).toBe(5);
  });

  it('refuse a change of what JSON is made of, however deep', async () => {
    const row = await pictures.get(id);
    expect(() => Object.assign(row, { title: 'b' })).toThrow(TypeError);
    expect(() => row.meta.tags.push('y')).toThrow(TypeError);
    expect(() => Object.assign(row.meta.size, { width: 4 })).toThrow(TypeError);
    expect(() => row.parts.pop()).toThrow(TypeError);
  });

  it('are shared by all repositories of their entity', async () => {
    expect(await repository().get(id)).toBe(await pictures.get(id));
  });
});

describe('rows that are kept, read from a replica that is behind and from the primary in turn', () => {
  let database: TestDatabase;
  let open: OpenDatabase;
  let behind: Client;
  let lists: ListReader<Product>;
  let rows: RowReader<Product>;
  let table: Table;

  beforeAll(async () => {
    database = await createDatabase();
    open = await openDatabase(database.url, {}, [Product]);
    await database.query(
      `insert into products (name, price) select 'P' || n, 5 from generate_series(1, 40) n`,
    );
    behind = new Client({ connectionString: database.url });
    await behind.connect();
    await behind.query('begin isolation level repeatable read');
    await behind.query('select from products');
    table = new Table(open.dataSource.getMetadata(Product));
    rows = new RowReader<Product>(table, new RowCache<Product>(newKeptMemory(2 ** 20)));
    lists = new ListReader<Product>(open.database, table, rows);
  });
  afterAll(async () => {
    await behind.end();
    await open.close();
    await database.drop();
  });

  it('are those of the server that is asked', async () => {
    let pagesOfStates = 0;
    const counted = (query: Reader['query']): Reader => ({
      query: (statement) => {
        if (statement.text.includes('string_agg(') && statement.text.includes(' order by ')) pagesOfStates++;
        return query(statement);
      },
    });
    const primary = counted((statement) => open.database.query(statement));
    const replica = counted(async (statement) =>
      rowsOf(statement, (await behind.query(queryOf(statement))).rows as never),
    );
    const plain = new ListReader<Product>(open.database, table);
    const asked = ['', 'cursor='].flatMap((style) =>
      ['', 'limit=5'].map((limit) =>
        productsAsked(Object.fromEntries(new URLSearchParams(`${style}&${limit}`))),
      ),
    );
    // Most rows are kept, and known to be.
    for (let i = 0; i < 300; i++) await lists.page(asked[i % 3]!, open.database);
    for (let round = 0; round < 30; round++) {
      await database.query(
        `update products set name = name || '!' where id % 7 = ${round % 7} or id = 40 - ${round % 2}`,
      );
      if (round % 6 === 5) await database.query(`delete from products where id = ${40 - round}`);
      for (const on of round % 2 ? [replica, primary] : [primary, replica]) {
        for (const query of asked)
          expect((await lists.page(query, on)).rows).toEqual((await plain.page(query, on)).rows);
        const ids = [40 - round, 39, 1, 7];
        const found = await Promise.all(ids.map((id) => rows.find(id, on)));
        const whole = await new RowReader<Product>(table).findOwn(ids, on);
        expect(found).toEqual(ids.map((id) => whole.get(id)));
      }
    }
    expect(pagesOfStates).toBeGreaterThan(100);
  });
});
