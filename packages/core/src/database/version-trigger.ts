/**
 * The assignments of a new version, for an `update` in SQL of your own. Without them, clients keep an outdated copy.
 * @example `update orders set total = $2, ${NEXT_VERSION} where id = $1`
 */
export const NEXT_VERSION = `"version" = "version" + 1, "updated_at" = greatest("updated_at", clock_timestamp())`;

/** The name of the trigger that sets a new version for statements that do not. */
export const versionTriggerName = (table: string): string => `${table}_next_version`;

/**
 * Returns the statement that creates the version trigger of a table: an update that does not change `version`, such as
 * one by hand, then sets a new version. A migration of the base creates the function of the trigger.
 * @example await queryRunner.query(createVersionTrigger('products'));
 */
export const createVersionTrigger = (table: string): string =>
  `create trigger "${versionTriggerName(table)}" before update on "${table}" for each row ` +
  'when (new.version = old.version) execute function next_version()';
