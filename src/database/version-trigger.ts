/**
 * The trigger that makes every changed row a new version of itself, whoever changes it: where a statement leaves `version` as it
 * is, a trigger counts it and sets `updated_at`. Statements that count it themselves, as those of repositories do, pay for
 * a comparison of two numbers. The function `next_version()` is made by a migration.
 */
export const versionTrigger = (table: string): string => `${table}_next_version`;

/** The statement that makes the trigger of a table. */
export const createVersionTrigger = (table: string): string =>
  `create trigger "${versionTrigger(table)}" before update on "${table}" for each row ` +
  'when (new.version = old.version) execute function next_version()';

/** The statement that removes it. */
export const dropVersionTrigger = (table: string): string =>
  `drop trigger "${versionTrigger(table)}" on "${table}"`;
