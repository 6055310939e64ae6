import { Statements } from './statements.js';

/** The statements of one migration. */
export interface MigrationPart extends Statements {
  readonly name: string;
  readonly isInTransaction: boolean;
}

const INDEX = /^create (?:unique )?index (\S+) on (?:only )?(\S+) /;

/**
 * Takes the indexes on tables that are there before out of a migration, into one of their own outside a transaction:
 * it builds them concurrently, while the tables take writes, and can be tried again where it was interrupted.
 *
 * @param name of the migration; where it does more than build indexes, theirs is `<name>-indexes`, to be run after it
 */
export function migrationParts(name: string, { up, down }: Statements): MigrationPart[] {
  const made = new Set(up.map((statement) => /^create table (\S+)/.exec(statement)?.[1]));
  const isLater = (statement: string): boolean => {
    const table = INDEX.exec(statement)?.[2];
    return table !== undefined && !made.has(table);
  };
  const later = up.filter(isLater);
  if (later.length === 0) return [{ name, up, down, isInTransaction: true }];
  const names = later.map((statement) => INDEX.exec(statement)?.[1] ?? '');
  const indexes = {
    up: later.map((statement) => statement.replace(' index ', ' index concurrently if not exists ')),
    down: names.map((index) => `drop index concurrently if exists ${index}`).toReversed(),
    isInTransaction: false,
  };
  const dropped = new Set(names.map((index) => `drop index ${index}`));
  const rest = {
    up: up.filter((statement) => !isLater(statement)),
    down: down.filter((statement) => !dropped.has(statement)),
    isInTransaction: true,
  };
  if (rest.up.length === 0 && rest.down.length === 0) return [{ name, ...indexes }];
  return [
    { name, ...rest },
    { name: `${name}-indexes`, ...indexes },
  ];
}
