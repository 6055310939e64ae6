import fc from 'fast-check';
import { Client } from 'pg';
import { Column, Entity, PrimaryGeneratedColumn, UpdateDateColumn, VersionColumn } from 'typeorm';

import { areInsertsIndependent, BatchedInserts } from '../../src/database/batched-inserts.js';
import { violatedConstraint } from '../../src/database/database-error.js';
import { Table } from '../../src/database/table.js';
import { insertStatement, updateStatement } from '../../src/database/write-sql.js';
import { UNCONDITIONAL } from '../../src/http/caching/preconditions.js';
import { Product } from '../../src/products/product.entity.js';
import { ProductsRepository } from '../../src/products/products.repository.js';
import { declarationsIn } from '../../tools/migrations/scratch.js';
import { eventually } from '../support/eventually.js';
import { OpenDatabase, openDatabase } from '../support/open-database.js';
import { createDatabase } from '../support/databases.js';
import { openRepositories, Repositories } from '../support/repositories.js';

const VALUES = { name: 'Oak shelf', price: 10, category: 'shelves' };

describe('rows that are stored at once', () => {
  let repositories: Repositories;
  let products: ProductsRepository;
  let other: Client;
  let texts: string[];

  beforeAll(async () => {
    repositories = await openRepositories();
    ({ products, other } = repositories);
    repositories.database.pool.observer = {
      begin: ({ text }) => {
        texts.push(text);
        return () => undefined;
      },
    };
  });
  afterAll(() => repositories.close());
  beforeEach(async () => {
    await other.query('delete from products');
    texts = [];
  });

  const inserted = (): string[] => texts.filter((text) => text.includes('insert into "products"'));
  const stored = async (): Promise<number> => {
    const { rows } = await other.query<{ n: number }>('select count(*)::int as n from products');
    return rows[0]?.n ?? 0;
  };

  it('are stored by one statement, and each caller gets its own row', async () => {
    const values = fc.record({
      name: fc.oneof(
        fc.string({ minLength: 1, maxLength: 20 }),
        fc.constantFrom('{"\\', 'NULL', 'a,b', "it's"),
      ),
      price: fc.integer({ min: 0, max: 999_999_999_999 }).map((cents) => cents / 100),
      category: fc.option(fc.constantFrom('', 'null', 'shelves', '{}')),
      inStock: fc.boolean(),
      description: fc.option(fc.string({ unit: 'binary' })),
    });
    const storable = (text: string | null): boolean =>
      text?.isWellFormed() !== false && !text?.includes('\0');
    const row = values.filter(({ name, description }) => storable(name) && storable(description));
    const rows = fc.array(row, { minLength: 2, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(rows, async (all) => {
        texts = [];
        const found = await Promise.all(all.map((each) => products.insert(each)));
        expect(inserted()).toHaveLength(1);
        expect(found).toEqual(all.map((each) => expect.objectContaining({ ...each, version: 1 })));
        const read = await Promise.all(found.map(({ id }) => products.get(id)));
        expect(read).toEqual(found);
      }),
      { numRuns: 25 },
    );
  });

  it('are as many as were asked for, however equal, and wait for no later ones', async () => {
    const same = await Promise.all(Array.from({ length: 250 }, () => products.insert(VALUES)));
    expect(new Set(same.map(({ id }) => id)).size).toBe(250);
    // At most 100 rows a statement.
    expect(inserted()).toHaveLength(3);
    expect(await stored()).toBe(250);
    texts = [];
    await products.insert(VALUES);
    expect(inserted()[0]).toContain('values ($1, $2, $3)');
  });

  it('go with those that have the same columns', async () => {
    const short = { name: 'Oak shelf', price: 10 };
    const found = await Promise.all([VALUES, short, VALUES, short].map((values) => products.insert(values)));
    expect(found.map(({ category }) => category)).toEqual(['shelves', null, 'shelves', null]);
    expect(inserted()).toHaveLength(2);
  });

  it('are stored alone where PostgreSQL refuses one of them', async () => {
    const prices = [1, -1, 2, 'much' as unknown as number, 3];
    const outcomes = await Promise.allSettled(prices.map((price) => products.insert({ ...VALUES, price })));
    expect(outcomes.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    const [, negative, , word] = outcomes as PromiseRejectedResult[];
    expect(violatedConstraint(negative?.reason)).toBe('products_price_range');
    expect(word?.reason).toMatchObject({ code: '22P02' });
    expect(await stored()).toBe(3);
  });

  it('fail together where the connection is lost, and are not stored again', async () => {
    await other.query('begin; lock table products in access exclusive mode');
    const outcomes = Promise.allSettled([1, 2, 3].map((price) => products.insert({ ...VALUES, price })));
    const waiting = `select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
    await eventually(async () => (await other.query(waiting)).rowCount, 1, 10_000);
    await other.query(`select pg_terminate_backend(pid) from (${waiting}) as waiting`);
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    await other.query('commit');
    expect(await stored()).toBe(0);
    expect(inserted()).toHaveLength(1);
  });

  it('are no batch in a transaction, nor with ids of their own', async () => {
    await repositories.database.transaction(async (tx) => {
      await products.insert(VALUES, tx);
      await products.insert(VALUES, tx);
    });
    const ids = [1_000_002, 1_000_001];
    const found = await Promise.all(ids.map((id) => products.insert({ ...VALUES, id })));
    expect(found.map(({ id }) => id)).toEqual(ids);
    expect(inserted()).toHaveLength(4);
  });
});

it('inserts are batched only into tables whose rows wait for no others', async () => {
  const database = await createDatabase();
  const { entities } = await declarationsIn(`${process.cwd()}/src`);
  const open = await openDatabase(database.url, { poolSize: 1 }, [...entities]);
  const batched = open.dataSource.entityMetadatas.filter(areInsertsIndependent);
  await open.close();
  await database.drop();
  expect(batched.map(({ target }) => target)).toEqual([Product]);
});

@Entity('samples')
class Sample {
  @PrimaryGeneratedColumn('identity') id: number;
  @VersionColumn({ default: 1 }) version: number;
  @UpdateDateColumn({ type: 'timestamptz' }) updatedAt: string;
  @Column({ type: 'char', length: 4, nullable: true }) code: string | null;
  @Column({ type: 'bit', length: 4, nullable: true }) bits: string | null;
  @Column({ type: 'simple-array', nullable: true }) tags: string[] | null;
  @Column({ type: 'jsonb', nullable: true }) data: unknown;
  @Column({ type: 'real', default: 0 }) seconds: number;
  @Column({ type: 'enum', enum: ['a', 'b,"c'], nullable: true }) kind: string | null;
  @Column({ type: 'timestamptz', nullable: true }) at: Date | string | null;
  @Column({ type: 'bytea', nullable: true }) bytes: Buffer | null;
  @Column({ type: 'varchar', length: 3, nullable: true }) short: string | null;
  @Column({ type: 'numeric', precision: 4, scale: 2, nullable: true }) exact: unknown;
  @Column({ type: 'interval', nullable: true }) span: unknown;
  @Column({ type: 'simple-json', nullable: true }) json: unknown;
}

describe('rows of uncommon types that are stored at once', () => {
  let open: OpenDatabase;
  let drop: () => Promise<void>;
  let table: Table;
  let samples: BatchedInserts<Sample>;

  beforeAll(async () => {
    const own = await createDatabase();
    ({ drop } = own);
    open = await openDatabase(own.url, {}, [Sample]);
    await open.dataSource.synchronize();
    table = new Table(open.dataSource.getMetadata(Sample));
    samples = new BatchedInserts(table, open.database);
  });
  afterAll(async () => {
    await open.close();
    await drop();
  });

  const alone = async (values: Partial<Sample>): Promise<Sample> => {
    const [row] = await open.database.query<Sample>(insertStatement(table, values));
    return row as Sample;
  };
  /** What is stored of a row, or the SQLSTATE. */
  const storedOf = (result: Promise<Sample>): Promise<unknown> =>
    result.then(
      ({ id: _id, updatedAt: _updatedAt, ...values }) => values,
      (error: unknown) => (error as { code?: string }).code,
    );

  it.each<[string, Partial<Sample>[]]>([
    ['char(n)', [{ code: 'ab' }, { code: 'abcd' }, { code: 'abcde' }, { code: null }]],
    ['char(n), all of which fit', [{ code: 'ab' }, { code: 'abcd' }]],
    ['bit(n)', [{ bits: '1010' }, { bits: '10' }, { bits: '10101' }]],
    ['arrays as text', [{ tags: ['a', 'b'] }, { tags: ['c', 'd'] }]],
    ['enums', [{ kind: 'a' }, { kind: 'b,"c' }, { kind: null }]],
    ['enums, one of them unknown', [{ kind: 'a' }, { kind: 'z' }]],
    ['times', [{ at: new Date(0) }, { at: '2026-01-02T03:04:05.678901Z' }]],
    ['bytes', [{ bytes: Buffer.from([0, 255, 34]) }, { bytes: Buffer.from('') }, { bytes: null }]],
    ['varchar(n)', [{ short: 'abc' }, { short: 'abc  ' }, { short: 'abcd' }]],
    ['numeric(p,s)', [{ exact: 1.005 }, { exact: '99.99' }, { exact: 100 }]],
    ['intervals', [{ span: '1 day' }, { span: { hours: 2 } }]],
    ['JSON as text', [{ json: { a: 1 } }, { json: 'x' }, { json: null }]],
    ['JSON as text, arrays', [{ json: [1, 2] }, { json: [] }]],
    ['arrays as JSON', [{ data: ['a', 'b'] }, { data: [] }, { data: { a: [1] } }]],
  ])('are what each would be alone: %s', async (_, all) => {
    const each = await Promise.all(all.map((values) => storedOf(alone(values))));
    const { n: before } = await count();
    expect(await Promise.all(all.map((values) => storedOf(samples.insert(values))))).toEqual(each);
    const { n: after } = await count();
    expect(after - before).toBe(each.filter((stored) => typeof stored === 'object').length);
  });
  const count = async (): Promise<{ n: number }> => {
    const text = 'select count(*)::int as n from samples';
    return (await open.database.query<{ n: number }>({ text, values: [] }))[0] ?? { n: 0 };
  };

  it('and have no values get the defaults of their columns', async () => {
    const rows = await Promise.all([{}, {}, { code: undefined }].map((values) => samples.insert(values)));
    expect(rows).toEqual(rows.map(() => expect.objectContaining({ code: null, version: 1, seconds: 0 })));
    expect(new Set(rows.map(({ id }) => id)).size).toBe(3);
  });

  it('of char(n) are not truncated by changes either', async () => {
    const { id } = await alone({ code: 'ab' });
    const change = (code: string): Promise<Sample[]> =>
      open.database.query(updateStatement(table, { id }, { code }, UNCONDITIONAL));
    expect(await change('wxyz')).toEqual([expect.objectContaining({ code: 'wxyz' })]);
    await expect(change('vwxyz')).rejects.toMatchObject({ code: '22001' });
  });

  it.each<[string, string, string]>([
    [
      'a trigger skips some',
      `create trigger odd before insert on samples for each row when (new.code like 's%') execute function odd()`,
      'drop trigger odd on samples',
    ],
    [
      'a trigger skips all',
      'create trigger odd before insert on samples for each row execute function odd()',
      'drop trigger odd on samples',
    ],
    [
      'a trigger changes their ids',
      'create trigger down before insert on samples for each row execute function down()',
      'drop trigger down on samples',
    ],
    [
      'ids count down',
      'alter table samples alter id set increment by -1 set minvalue -1000 restart with -1',
      'alter table samples alter id set increment by 1 restart with 1000',
    ],
  ])('are stored alone where %s', async (_, before, after) => {
    await open.dataSource.query(`
      create or replace function odd() returns trigger language plpgsql as 'begin return null; end';
      create or replace function down() returns trigger language plpgsql as
        'begin new.id := 1000000 - new.id; return new; end';
      delete from samples; ${before}`);
    const codes = ['a', 's1', 'b', 'c', 's2', 'd'].map((code) => code.padEnd(4));
    const rows = await Promise.all(codes.map((code) => samples.insert({ code })));
    const kept = codes.filter(
      (code) => !before.includes('odd()') || (before.includes('when') && !code.startsWith('s')),
    );
    expect(rows.map((row) => (row as Sample | undefined)?.code)).toEqual(
      codes.map((code) => (kept.includes(code) ? code : undefined)),
    );
    const stored = await open.dataSource.query<{ id: number; code: string }[]>(
      'select id, code from samples order by code',
    );
    expect(stored.map(({ code }) => code)).toEqual([...kept].sort());
    for (const row of rows.filter(Boolean)) expect(stored).toContainEqual({ id: row.id, code: row.code });
    await open.dataSource.query(after);
  });

  it('fail where their callers hear of it, though rows of other columns take longer', async () => {
    await open.dataSource.query(`
      create function pause() returns trigger language plpgsql as
        $$ begin perform pg_sleep(new.seconds); return new; end $$;
      create trigger pause before insert on samples for each row execute function pause()`);
    const unhandled = jest.fn();
    process.on('unhandledRejection', unhandled);
    const slow = { code: 'slow', seconds: 0.1 };
    const bad = { bits: 'none' };
    const outcomes = await Promise.allSettled([slow, bad, slow, bad].map((values) => samples.insert(values)));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected']);
    expect(unhandled).not.toHaveBeenCalled();
    process.off('unhandledRejection', unhandled);
  });
});
