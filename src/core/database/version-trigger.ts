/**
 * The trigger that gives every changed row a new version, whoever changes it: if a statement leaves `version` as it is,
 * the trigger increments it and sets `updated_at`. Statements that do so themselves, as those of repositories, pay for
 * a comparison of two numbers. A migration makes the function `next_version()`.
 */
export const versionTrigger = (table: string): string => `${table}_next_version`;

/** The statement that makes the trigger of a table. */
export const createVersionTrigger = (table: string): string =>
  `create trigger "${versionTrigger(table)}" before update on "${table}" for each row ` +
  'when (new.version = old.version) execute function next_version()';

/** The statement that removes it. */
export const dropVersionTrigger = (table: string): string =>
  `drop trigger "${versionTrigger(table)}" on "${table}"`;

/** A column of a table that holds the id of the row of another table, the parent. */
export interface ParentReference {
  readonly table: string;
  readonly column: string;
  readonly parent: string;
}

/**
 * The statements that make the triggers by which rows give their parents new versions: of each statement that adds,
 * changes or removes rows, whatever it changes of them. For parents that show what is computed of those rows: an entity
 * tag must not stand for two numbers. `truncate` is not followed.
 *
 * A statement touches each parent once, in the order of their ids, so that nobody waits in a ring. Who writes rows of
 * one parent waits for others who do until they commit, as for others who write the parent.
 *
 * @example createParentVersionTriggers({ table: 'product_tags', column: 'product_id', parent: 'products' })
 */
export function createParentVersionTriggers({ table, column, parent }: ParentReference): string[] {
  return EVENTS.flatMap(({ event, rows, tables }) => {
    const name = parentVersionTrigger(table, column, event);
    const ids = rows.map((of) => `select "${column}" from ${of}`).join(' union all ');
    const body =
      `with held as (select id from "${parent}" where id in (${ids}) order by id for no key update) ` +
      `update "${parent}" as parent set version = version + 1, updated_at = greatest(updated_at, clock_timestamp()) ` +
      'from held where parent.id = held.id';
    return [
      `create function ${name}() returns trigger language plpgsql as $$ begin ${body}; return null; end $$`,
      `create trigger ${name} after ${event} on "${table}" referencing ${tables} for each statement execute function ${name}()`,
    ];
  });
}

/** The statements that remove them. */
export function dropParentVersionTriggers({ table, column }: ParentReference): string[] {
  const names = EVENTS.map(({ event }) => parentVersionTrigger(table, column, event));
  return [
    ...names.map((name) => `drop trigger ${name} on "${table}"`),
    ...names.map((name) => `drop function ${name}()`),
  ];
}

const EVENTS = [
  { event: 'insert', rows: ['added'], tables: 'new table as added' },
  { event: 'update', rows: ['taken', 'added'], tables: 'old table as taken new table as added' },
  { event: 'delete', rows: ['taken'], tables: 'old table as taken' },
] as const;

const parentVersionTrigger = (table: string, column: string, event: string): string =>
  `"${table}_${column}_next_version_${event}"`;
