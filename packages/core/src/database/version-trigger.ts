/**
 * The SQL assignments that give a row its next version. Use them in an `update` that you write in SQL. A changed row
 * needs a new version, because its ETag contains the version. The time is that of the statement: it is not volatile, so
 * that the update can also run on a table that is distributed over several servers.
 * @example `update orders set total = $2, ${NEXT_VERSION} where id = $1`
 */
export const NEXT_VERSION = `"version" = "version" + 1, "updated_at" = greatest("updated_at", statement_timestamp())`;

/** Returns the name of the version trigger of a table. */
export const versionTriggerName = (table: string): string => `${table}_next_version`;

/**
 * Returns the statement that creates the version trigger of a table. If an update, such as one in `psql`, does not
 * change `version`, the trigger sets the next version. A migration of the base creates the function of the trigger.
 * @example await queryRunner.query(createVersionTrigger('products'));
 */
export const createVersionTrigger = (table: string): string =>
  `create trigger "${versionTriggerName(table)}" before update on "${table}" for each row ` +
  'when (new.version = old.version) execute function next_version()';
