import { join } from 'node:path';

import { DataSource, MigrationInterface, QueryRunner } from 'typeorm';

import { dataSourceOptions } from '../../src/database/data-source-options.js';
import { MIGRATIONS } from '../../src/database/migrations/migrations.js';
import { lintMigrations, LintedMigration, refusalsOf } from '../../tools/migrations/lint.js';
import { withSources } from '../../tools/migrations/migration-sources.js';
import { FillTheRegionOfSuppliers1795320000000 } from '../examples/rename-in-three-steps/1795320000000-fill-the-region-of-suppliers.js';
import { SuppliersGetARegion1795310000000 } from '../examples/rename-in-three-steps/1795310000000-suppliers-get-a-region.js';
import { AllowTheRoleAuditor1763800000000 } from '../examples/1763800000000-allow-the-role-auditor.js';
import { SuppliersLoseTheirCountry1795330000000 } from '../examples/rename-in-three-steps/1795330000000-suppliers-lose-their-country.js';
import { createFrom, databaseOf, dropIfThere } from '../support/databases.js';

const NAME = `service_lint_${process.pid}`;
const MIGRATIONS_FOLDER = join(process.cwd(), 'src/database/migrations');
const STEPS_FOLDER = join(process.cwd(), 'test/examples/rename-in-three-steps');

let dataSource: DataSource;

beforeAll(async () => {
  await createFrom('template0', NAME);
  const options = dataSourceOptions(databaseOf(NAME), { poolSize: 2, statementTimeoutMs: 30_000 });
  dataSource = await new DataSource(options).initialize();
});
beforeEach(() => dataSource.query('drop schema public cascade; create schema public'));
afterAll(async () => {
  await dataSource.destroy();
  await dropIfThere(NAME);
});

/** A migration of some statements. */
function migrationOf(statements: readonly string[], source = ''): LintedMigration {
  class Tried implements MigrationInterface {
    readonly transaction = statements.some((text) => text.includes('concurrently')) ? false : undefined;

    async up(runner: QueryRunner): Promise<void> {
      for (const statement of statements) await runner.query(statement);
    }

    async down(): Promise<void> {
      // Never taken back.
    }
  }
  return { migration: Tried, source };
}

const TABLE = migrationOf([
  `create table goods (id int primary key, name varchar(20), price int, sold timestamptz)`,
  'create table bought (id int primary key, good int)',
  'create view cheap as select id from goods',
]);

/** What the lint says of statements on a table that is there: rules and subjects. */
async function judged(...statements: string[]): Promise<string[]> {
  const lines = await lintMigrations(dataSource, [TABLE, migrationOf(statements)]);
  return lines.map((line) => line.split(': ')[1] as string);
}

describe('O3 the lint of migrations', () => {
  it('has nothing against those of the service, but for what their comments waive', async () => {
    expect(await lintMigrations(dataSource, withSources(MIGRATIONS_FOLDER, MIGRATIONS))).toEqual([]);
  });

  it.each([
    ['create index goods_name on goods (name)', 'index-blocks-writes goods'],
    ['create unique index goods_name on public.goods (name)', 'index-blocks-writes goods'],
    ['alter table goods add constraint positive check (price > 0)', 'constraint-scans goods'],
    ['alter table bought add foreign key (good) references goods', 'constraint-scans bought'],
    ['alter table goods add unique (name)', 'constraint-scans goods'],
    ['alter table goods alter column name set not null', 'not-null-scans goods.name'],
    ['alter table goods alter price set default 1, alter price set not null', 'not-null-scans goods.price'],
    ['alter table goods alter column price type bigint', 'rewrites-table goods'],
    ['alter table goods add column code uuid default gen_random_uuid()', 'rewrites-table goods'],
    ['alter table goods add column twice int generated always as (price * 2) stored', 'rewrites-table goods'],
    ['update goods set price = 1', 'updates-all-rows goods'],
    ['delete from "goods"', 'updates-all-rows goods'],
    ['with sold as (select id from goods) update goods set price = 1', 'updates-all-rows goods'],
    [`comment on table goods is 'a -- b'; update goods set price = 1`, 'updates-all-rows goods'],
    ['alter table goods drop column sold', 'drops-what-is-read goods.sold'],
    ['alter table goods rename column sold to sold_at', 'drops-what-is-read goods.sold'],
    ['alter table goods rename to wares', 'drops-what-is-read goods'],
    ['drop table bought', 'drops-what-is-read bought'],
    ['drop view cheap', 'drops-what-is-read cheap'],
    ['alter table goods add column code text not null', 'refuses-old-writes goods.code'],
    ['do $$ begin update goods set price = 1; end $$', 'updates-all-rows goods'],
    [
      `do language plpgsql $do$ declare n int; begin
        -- only where it is needed
        if exists (select from goods) then
          alter table goods drop column sold;
        end if;
      end $do$`,
      'drops-what-is-read goods.sold',
    ],
    [
      'do $$ begin for i in 1..2 loop delete from goods where id = i; end loop; end $$',
      'updates-all-rows goods',
    ],
    [`do $$ begin execute 'create index on goods (name)'; end $$`, 'index-blocks-writes goods'],
    [
      `do $$ begin execute format('drop table %I', 'bought'); drop view cheap; end $$`,
      'drops-what-is-read cheap',
    ],
  ])('refuses: %s', async (statement, finding) => {
    expect(await judged(statement)).toEqual([finding]);
  });

  it.each([
    ['create index concurrently goods_name on goods (name)'],
    ['alter table goods add constraint positive check (price > 0) not valid'],
    [
      'alter table goods add constraint positive check (price > 0) not valid',
      'alter table goods validate constraint positive',
    ],
    ['alter table goods alter column name type varchar(40)', 'alter table goods alter column name type text'],
    ['alter table goods add column code text', `alter table goods add column size int not null default 1`],
    [
      'create table sizes (id int)',
      'create index sizes_id on sizes (id)',
      'update sizes set id = 1',
      'drop table sizes',
    ],
    [`do $$ begin raise notice 'update goods set price = 1'; perform 1; end $$`],
    ['create function f() returns void language plpgsql as $$ begin update goods set price = 1; end $$'],
    [`comment on table goods is 'drop table bought; update goods set price = 1'`],
    [
      'alter table goods add constraint named check (name is not null) not valid',
      'alter table goods validate constraint named',
      'alter table goods alter column name set not null',
    ],
  ])('takes: %s', async (...statements) => {
    expect(await judged(...statements)).toEqual([]);
  });

  it('E3 takes the migration of a role as docs/adding-a-permission.md shows it', async () => {
    const users = `create table users (role text, constraint users_role_known check (role = 'admin'))`;
    const migration = { migration: AllowTheRoleAuditor1763800000000, source: '' };
    expect(await lintMigrations(dataSource, [migrationOf([users]), migration])).toEqual([]);
  });

  it('tells whoever generates a migration what it is going to refuse', () => {
    const check = `alter table users add constraint users_role_known check (role in ('admin', 'auditor'))`;
    const made = ['create table tags (id int, name text)', 'create index tags_name on tags (name)'];
    expect(refusalsOf(made)).toEqual([]);
    expect(refusalsOf([...made, check, 'create index users_role on users (role)'])).toEqual([
      expect.stringMatching(/^constraint-scans users: .*`not valid`/),
      expect.stringMatching(/^index-blocks-writes users: .*concurrently/),
    ]);
  });

  it('takes what a comment waives with a reason, and refuses a waiver of nothing', async () => {
    const drop = 'alter table goods drop column sold';
    const waiver = '// lint-migration allow drops-what-is-read goods.sold: unused since release 2.1';
    const lint = (...linted: LintedMigration[]): Promise<string[]> =>
      lintMigrations(dataSource, [TABLE, ...linted]);
    expect(await lint(migrationOf([drop], waiver))).toEqual([]);
    expect(await lintMigrations(dataSource, [migrationOf(['select 1'], waiver)])).toEqual([
      'Tried: waives drops-what-is-read goods.sold, which it does not do',
    ]);
    const without = '// lint-migration allow drops-what-is-read goods.sold';
    expect(await lintMigrations(dataSource, [migrationOf(['select 1'], without)])).toEqual([
      expect.stringContaining('a waiver is written'),
    ]);
  });
});

describe('O3 a column is renamed in three steps', () => {
  const write = (text: string): Promise<unknown> => dataSource.query(text);
  const regions = async (): Promise<unknown[]> =>
    (await dataSource.query<{ region: string }[]>('select region from suppliers order by id')).map(
      ({ region }) => region,
    );
  const step = async (migration: LintedMigration['migration']): Promise<string[]> =>
    lintMigrations(dataSource, withSources(STEPS_FOLDER, [migration]));

  it('while the release before each step goes on writing', async () => {
    const olderInsert = (name: string, country: string): string =>
      `insert into suppliers (name, country) values ('${name}', '${country}')`;
    await write(
      'create table suppliers (id int primary key generated always as identity, name text, country text)',
    );
    await write(olderInsert('a', 'Peru'));
    await write(`insert into suppliers (name) values ('b')`);

    expect(await step(SuppliersGetARegion1795310000000)).toEqual([]);
    await write(olderInsert('c', 'Chile'));
    await write(`update suppliers set country = 'Bolivia' where name = 'c'`);
    await write(`update suppliers set name = 'B' where name = 'b'`);
    expect(await regions()).toEqual([null, 'unknown', 'Bolivia']);

    expect(await step(FillTheRegionOfSuppliers1795320000000)).toEqual([]);
    await write(olderInsert('d', 'Oman'));
    await write(`update suppliers set region = 'Andes' where name = 'a'`);
    await write(`update suppliers set name = 'A' where name = 'a'`);
    expect(await regions()).toEqual(['Andes', 'unknown', 'Bolivia', 'Oman']);

    expect(await step(SuppliersLoseTheirCountry1795330000000)).toEqual([]);
    await write(`insert into suppliers (name, region) values ('e', 'Alps')`);
    expect(await regions()).toEqual(['Andes', 'unknown', 'Bolivia', 'Oman', 'Alps']);
  });
});
