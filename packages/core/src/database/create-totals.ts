import {
  quoteName,
  totalsTable,
  Totals,
  changesTable,
  columnList,
  foldedSql,
  OLDEST_RUNNING_SQL,
} from './totals-sql.js';

/**
 * On average, one of this many writes adds the changes to the sums. A total is read as a sum plus the remaining
 * changes, which becomes slower with more than 1,000 changes.
 */
const WRITES_PER_FOLD = 400;
/**
 * The number of changes that one write adds to the sums at most. It adds more only to keep the changes of one
 * transaction together.
 */
const MAX_FOLDED = 10_000;
const foldFunctionName = (table: string): string => quoteName(`${totalsTable(table)}_fold`);

/**
 * Returns the statements that create the tables and triggers of totals, and that count the existing rows. Run them in
 * one transaction, in a migration. Use totals for a table with more than about 10,000 rows whose lists show `total`.
 * @example for (const sql of createTotals({ table: 'products', columns: ['category'] })) await queryRunner.query(sql);
 */
export function createTotals(totals: Totals): string[] {
  const { table, columns } = totals;
  const [changes, sums] = [quoteName(changesTable(table)), quoteName(totalsTable(table))];
  return [
    `create table ${changes} as select ${columnList(columns, '1::bigint as "n"')} from ${quoteName(table)} with no data`,
    `alter table ${changes} add column "xid" bigint not null default pg_current_xact_id()::text::bigint`,
    `create index ${quoteName(`${changesTable(table)}_xid`)} on ${changes} ("xid")`,
    `create table ${sums} ("key" text not null, "n" bigint not null, ` +
      `constraint ${quoteName(`${totalsTable(table)}_pkey`)} primary key ("key")) with (fillfactor = 50)`,
    foldFunction(totals),
    ...buildTriggers(totals).flatMap(({ create }) => create),
    sumUpSql(totals, `(select ${columnList(columns, '1::bigint as "n"')} from ${quoteName(table)})`),
  ];
}

/**
 * Returns the statements that undo `createTotals()`, for `down()` of its migration.
 * @example for (const sql of dropTotals({ table: 'products', columns: ['category'] })) await queryRunner.query(sql);
 */
export function dropTotals({ table, ...totals }: Totals): string[] {
  const names = buildTriggers({ table, ...totals }).map(({ name }) => name);
  return [
    ...names.map((name) => `drop trigger ${name} on ${quoteName(table)}`),
    ...[...names, foldFunctionName(table)].map((name) => `drop function ${name}()`),
    `drop table ${quoteName(changesTable(table))}, ${quoteName(totalsTable(table))}`,
  ];
}

function buildTriggers({ table, columns }: Totals): { readonly name: string; readonly create: string[] }[] {
  const [changes, sums] = [quoteName(changesTable(table)), quoteName(totalsTable(table))];
  const trigger = (event: string, definition: string, body: string) => {
    const name = quoteName(`${totalsTable(table)}_${event}`);
    const create = [
      `create function ${name}() returns trigger language plpgsql as $$ begin ${body}; return null; end $$`,
      `create trigger ${name} after ${event} on ${quoteName(table)} ${definition} execute function ${name}()`,
    ];
    return { name, create };
  };
  // Choose the write at random. A counter of writes would be a row that every write locks.
  const append = (rows: string): string =>
    `insert into ${changes} (${columnList(columns, '"n"')}) ${rows}; ` +
    `if random() < ${1 / WRITES_PER_FOLD} then perform ${foldFunctionName(table)}(); end if`;
  // However many rows a statement inserts or deletes, it appends one change for each combination of values.
  const grouped = columns.length > 0 ? `group by ${columnList(columns)}` : 'having count(*) > 0';
  const appendAll = (rows: string, n: string): string =>
    append(`select ${columnList(columns, n)} from ${rows} ${grouped}`);
  const triggers = [
    trigger('insert', 'referencing new table as added for each statement', appendAll('added', 'count(*)')),
    trigger('delete', 'referencing old table as gone for each statement', appendAll('gone', '-count(*)')),
    trigger('truncate', 'for each statement', `truncate ${changes}, ${sums}`),
  ];
  const ofRow = (row: string): string => columns.map((name) => `${row}.${quoteName(name)}`).join(', ');
  // Most updates change none of the columns, and thus no total. With this condition, they do not call the trigger
  // function.
  const [old, changed] = [ofRow('old'), ofRow('new')];
  const isChanged = `when (row(${old}) is distinct from row(${changed}))`;
  const update = append(`select ${old}, -1 union all select ${changed}, 1`);
  if (columns.length > 0) triggers.push(trigger('update', `for each row ${isChanged}`, update));
  return triggers;
}

/**
 * Returns the statement that adds counts to the sums. There is a sum for each combination of values of all columns, of
 * some columns, and of no column.
 */
function sumUpSql({ table, columns }: Totals, counts: string): string {
  const mask = columns.length > 0 ? `grouping(${columnList(columns)})` : '0';
  const cube = columns.length > 0 ? ` group by cube (${columnList(columns)})` : '';
  return (
    `insert into ${quoteName(totalsTable(table))} as total ("key", "n") ` +
    `select jsonb_build_array(${[mask, ...columns.map(quoteName)].join(', ')})::text as "key", sum("n") from ${counts} as counts${cube} ` +
    `having sum("n") <> 0 order by 1 on conflict ("key") do update set "n" = total."n" + excluded."n"`
  );
}

/**
 * Returns the statement that creates the fold function. The function adds the changes of ended transactions to the
 * sums, and removes sums of 0. It does nothing while another session runs it.
 */
function foldFunction(totals: Totals): string {
  const { table, columns } = totals;
  const [changes, sums] = [quoteName(changesTable(table)), quoteName(totalsTable(table))];
  return `create function ${foldFunctionName(table)}() returns void language plpgsql as $$
    declare _from bigint; _to bigint; _zeros text[];
    begin
      if not pg_try_advisory_xact_lock(hashtext('totals'), hashtext('${table}')) then return; end if;
      _from := ${foldedSql(table)};
      _to := least(${OLDEST_RUNNING_SQL}, (
        select "xid" + 1 from ${changes} where "xid" >= _from order by "xid" offset ${MAX_FOLDED} limit 1));
      with gone as (
        delete from ${changes} where "xid" >= _from and "xid" < _to returning ${columnList(columns, '"n"')}
      ), summed as (${sumUpSql(totals, 'gone')} returning total."key", total."n")
      select array(select "key" from summed where "n" = 0) into _zeros;
      delete from ${sums} where "key" = any(_zeros);
      insert into ${sums} values ('folded', _to) on conflict ("key") do update set "n" = excluded."n";
    end $$`;
}
