import { Column, Entity, PrimaryColumn } from 'typeorm';

import { newKeptMemory } from '../../src/database/kept-memory.js';
import { RowCache } from '../../src/database/row-cache.js';
import { RowReader } from '../../src/database/row-reader.js';
import { Reader } from '../../src/database/replicas/replica.js';
import { Table } from '../../src/database/table.js';
import { Product } from '../../src/products/product.entity.js';
import { createDatabase, TestDatabase } from '../support/databases.js';
import { randomOf, readBy } from '../support/kept-rows.js';
import { OpenDatabase, openDatabase } from '../support/open-database.js';

@Entity('parts')
class Part {
  @PrimaryColumn('int')
  id: number;
  @Column('text')
  text: string;
  @Column({ name: 'updated_at', type: 'timestamptz' })
  updatedAt: string;
}

/** More than 64 blocks of products. */
const ROWS = 3_000;

describe('rows of a large table, which are looked for where they lay', () => {
  let database: TestDatabase;
  let open: OpenDatabase;
  /** What is read, and by what. */
  let reads: string[];
  /** The statements that read something else, such as the size of the table. */
  let others: Promise<unknown>[];
  let on: Reader;
  let rows: RowReader<Product>;

  beforeAll(async () => {
    database = await createDatabase();
    open = await openDatabase(database.url, {}, [Product, Part]);
  });
  afterAll(async () => {
    await open.close();
    await database.drop();
  });
  beforeEach(async () => {
    await database.query('truncate products restart identity cascade');
    await fill();
    await database.query('analyze products');
    [reads, others] = [[], []];
    on = {
      query: (statement) => {
        const read = readBy(statement);
        reads.push(statement.text.includes('"ctid" = any') ? `${read} by place` : read);
        const answer = open.database.query(statement);
        if (read === 'other') others.push(answer);
        return answer as never;
      },
    };
    rows = new RowReader(
      new Table(open.dataSource.getMetadata(Product)),
      new RowCache<Product>(newKeptMemory(16 * 2 ** 20)),
    );
  });

  const fill = (): Promise<unknown> =>
    database.query(`insert into products (id, name, description, price, category) overriding system value
      select n, 'P' || n, repeat('long ', 50), 5, 'a' from generate_series(1, ${ROWS}) n`);
  /** Reads rows at once, as often as it takes for them to be kept: of the first reads one in eight is. */
  async function keep(ids: readonly number[]): Promise<void> {
    for (let i = 0; i < 9; i++) await Promise.all(ids.map((id) => rows.find(id, on)));
    reads.length = 0;
  }
  const plain = async (ids: readonly number[]): Promise<(Product | undefined)[]> => {
    const found = await new RowReader<Product>(new Table(open.dataSource.getMetadata(Product))).findOwn(
      ids,
      open.database,
    );
    return ids.map((id) => found.get(id));
  };
  const found = (ids: readonly number[]): Promise<(Product | undefined)[]> =>
    Promise.all(ids.map((id) => rows.find(id, on)));
  const placeOf = async (id: number): Promise<string> => {
    const [row] = await database.query<{ place: string }>(
      'select ctid::text as place from products where id = $1',
      [id],
    );
    return row!.place;
  };

  it('are found by their places where one of them is far from the start, else by their ids', async () => {
    const [near, far] = [
      [1, 2, 3],
      [2_999, 3, 1_500],
    ];
    await keep([...near, ...far]);
    expect(await found(near)).toEqual(await plain(near));
    expect(await found(far)).toEqual(await plain(far));
    expect(reads).toEqual(['states', 'states by place']);
  });

  it('are not scanned for', async () => {
    await keep([2_999]);
    const texts: string[] = [];
    await rows.find(2_999, {
      query: (statement) => {
        texts.push(statement.text);
        return open.database.query(statement);
      },
    });
    const places = await Promise.all([2_999, 1_500, 3].map(placeOf));
    const array = `{${places.map((place) => `"${place}"`).join(',')}}`;
    const plan = await open.database.transaction(async (tx) => {
      await tx.query({ text: `prepare asked (tid[]) as ${texts[0]}`, values: [] });
      return tx.query<{ 'QUERY PLAN': string }>({ text: `explain execute asked('${array}')`, values: [] });
    });
    expect(plan.map((line) => line['QUERY PLAN']).join('\n')).toMatch(/Tid Scan on products/);
  });

  it.each([
    ['changed', `update products set name = name || '!' where id = 2999`],
    ['written without a change', 'update products set name = name where id = 2999'],
    ['deleted', 'delete from products where id = 2999'],
    [
      'deleted and stored again',
      `with gone as (delete from products where id = 2999 returning *) select from gone;
      insert into products (id, name, price) overriding system value values (2999, 'again', 1)`,
    ],
  ])('are read again once one was %s, and no other is', async (_, change) => {
    const ids = [2_998, 2_999, 3_000];
    await keep(ids);
    for (const statement of change.split(';')) await database.query(statement);
    expect(await found(ids)).toEqual(await plain(ids));
    expect(reads).toEqual(['states by place', 'rows']);
  });

  it('are not taken for a row that lies in their place now', async () => {
    await keep([2_999]);
    const place = await placeOf(2_999);
    await database.query('delete from products where id > 2900');
    let id = 0;
    for (let i = 0; i < 2_000 && (id === 0 || (await placeOf(id)) !== place); i++) {
      // Again and again: what is deleted stays for as long as anybody has an older snapshot, such as autovacuum.
      if (i % 100 === 0) await database.query('vacuum (index_cleanup on) products');
      const [row] = await database.query<{ id: number }>(
        `insert into products (id, name, description, price) overriding system value values (${10_000 + i}, 'other', repeat('long ', 50), 1) returning id`,
      );
      id = row!.id;
    }
    expect(await placeOf(id)).toBe(place);
    expect(await rows.find(2_999, on)).toBeUndefined();
    expect(reads).toEqual(['states by place', 'other', 'rows']);
  });

  it('are found after all rows were moved', async () => {
    const ids = [1, 1_500, 2_999];
    await keep(ids);
    await database.query('create index by_name on products (name)');
    await database.query('cluster products using by_name');
    await database.query('drop index by_name');
    for (let i = 0; i < 2; i++) expect(await found(ids)).toEqual(await plain(ids));
    expect(reads).toEqual(['states by place', 'rows', 'states by place']);
  });

  it('are asked for by their ids for a while where the table was found small, for the statement was planned for that', async () => {
    await database.query('alter table products set (autovacuum_enabled = off)');
    await keep([2_998, 2_999]);
    await database.query('truncate products cascade');
    expect(await found([2_998, 2_999])).toEqual([undefined, undefined]);
    expect(others).toHaveLength(1);
    await Promise.all(others);
    await fill();
    await keep([2_998, 2_999]);
    const from = performance.now();
    expect(await found([2_998, 2_999])).toEqual(await plain([2_998, 2_999]));
    expect(reads.splice(0)).toEqual(['states']);
    const later = jest.spyOn(performance, 'now').mockReturnValue(from + 11 * 60_000);
    expect(await found([2_998, 2_999])).toEqual(await plain([2_998, 2_999]));
    expect(reads).toEqual(['states by place']);
    later.mockRestore();
  });

  describe('where one that is asked for alone has changed', () => {
    const change = (): Promise<unknown> =>
      database.query('update products set price = price + 1 where id = 2999');
    /** Answers questions for the size as told. */
    const answering = (size: () => Promise<never>): Reader => ({
      query: (statement) => (readBy(statement) === 'other' ? size() : on.query(statement)),
    });

    it('are read by two statements: the one for the size of the table is not waited for', async () => {
      await keep([2_999]);
      await change();
      let answer: (rows: never) => void = () => undefined;
      const whileAsked = answering(() => new Promise((resolve) => (answer = resolve)));
      expect(await rows.find(2_999, whileAsked)).toEqual((await plain([2_999]))[0]);
      expect(reads).toEqual(['states by place', 'rows']);
      answer([{ isSmall: false }] as never);
    }, 10_000);

    it('are read whether the size can be asked for or not, which is asked once more then', async () => {
      await keep([2_999]);
      await change();
      const failing = answering(() => Promise.reject(new Error('no connection is free')));
      expect(await rows.find(2_999, failing)).toEqual((await plain([2_999]))[0]);
      reads.length = 0;
      const later = jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 1_001);
      for (let time = 0; time < 2; time++) expect(await found([2_999])).toEqual(await plain([2_999]));
      later.mockRestore();
      // The size is asked for behind the read, which does not wait for a connection that the question has.
      expect(reads).toEqual(['states by place', 'other', 'states by place']);
    });

    it('have the size asked for once a second at most, and then once more', async () => {
      await keep([2_999]);
      const from = performance.now();
      const clock = jest.spyOn(performance, 'now').mockReturnValue(from);
      for (let time = 0; time < 3; time++) {
        await change();
        expect(await found([2_999])).toEqual(await plain([2_999]));
      }
      expect(others).toHaveLength(1);
      await Promise.all(others);
      clock.mockReturnValue(from + 1_001);
      for (let time = 0; time < 2; time++) expect(await found([2_999])).toEqual(await plain([2_999]));
      clock.mockRestore();
      expect(others).toHaveLength(2);
    });
  });

  it('are still asked for by their places where one of them was deleted', async () => {
    await keep([2_998, 2_999]);
    await database.query('delete from products where id = 2999');
    expect(await rows.find(2_999, on)).toBeUndefined();
    await Promise.all(others);
    reads.length = 0;
    expect(await found([2_998])).toEqual(await plain([2_998]));
    expect(reads).toEqual(['states by place']);
  });

  it('of a partitioned table are asked for by their ids once two partitions have rows in one place', async () => {
    await database.query(`create table parts (id int primary key, text text, updated_at timestamptz) partition by range (id);
      create table parts_a partition of parts for values from (1) to (3001);
      create table parts_b partition of parts for values from (3001) to (6001);
      insert into parts select n, repeat('long ', 50), now() from generate_series(1, 6000) n;
      analyze parts`);
    const parts = new RowReader(
      new Table(open.dataSource.getMetadata(Part)),
      new RowCache<Part>(newKeptMemory(16 * 2 ** 20)),
    );
    const asked: string[] = [];
    const counting: Reader = {
      query: (statement) => {
        asked.push(/"(ctid|id)" = any/.exec(statement.text)?.[1] ?? 'other');
        return open.database.query(statement);
      },
    };
    for (let i = 0; i < 4; i++) expect(await parts.find(2_999, counting)).toMatchObject({ id: 2_999 });
    expect(asked).toEqual(['id', 'ctid', 'id', 'id']);
    await database.query('drop table parts');
  });

  it('are what PostgreSQL shows, whatever is written meanwhile', async () => {
    const random = randomOf(7);
    const ids = Array.from({ length: 60 }, () => 1 + random(ROWS));
    await keep(ids);
    for (let round = 0; round < 60; round++) {
      const id = ids[random(ids.length)]!;
      const writes = [
        `update products set price = price + 1 where id = ${id}`,
        `delete from products where id = ${id}`,
        `insert into products (id, name, price) overriding system value values (${id}, 'new', 1) on conflict (id) do update set price = 2`,
        'vacuum products',
      ];
      await database.query(writes[random(writes.length)]!);
      const asked = [...new Set(Array.from({ length: 1 + random(20) }, () => ids[random(ids.length)]!))];
      expect(await found(asked)).toEqual(await plain(asked));
    }
  });
});
