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
