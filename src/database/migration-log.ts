import { AbstractLogger } from 'typeorm';

/** Keeps what TypeORM says of a failed migration, which it would print: one that is tried again has not failed yet. */
export class MigrationLog extends AbstractLogger {
  /** The name of the migration that failed last. */
  failed: string | undefined;

  override logMigration(message: string): void {
    this.failed = /^Migration "(.+)" failed,/.exec(message)?.[1];
  }

  protected override writeLog(): void {
    // Statements of migrations are not logged.
  }
}
