/** The assignments that make an updated row a new version of itself. */
export const NEXT_VERSION = `"version" = "version" + 1, "updated_at" = greatest("updated_at", clock_timestamp())`;

/** The trigger that does so for statements that leave `version` as it is, whoever writes them. */
export const versionTriggerName = (table: string): string => `${table}_next_version`;

/**
 * The statement that creates the version trigger of a table. A migration of the base creates its function.
 * @example await queryRunner.query(createVersionTrigger('products'));
 */
export const createVersionTrigger = (table: string): string =>
  `create trigger "${versionTriggerName(table)}" before update on "${table}" for each row ` +
  'when (new.version = old.version) execute function next_version()';
