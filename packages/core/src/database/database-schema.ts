import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { Database } from './database.js';
import { databaseErrorCode } from './database-error.js';
import { describeDatabaseFault, ReadinessFault } from './readiness-fault.js';
import { migrate } from './migrate.js';

/** The schema of the database: the migrations of the service and of its modules. */
@Injectable()
export class DatabaseSchema {
  constructor(
    private readonly dataSource: DataSource,
    private readonly database: Database,
  ) {}

  migrate(): Promise<string[]> {
    return migrate(this.dataSource);
  }

  async pendingMigrations(): Promise<string[]> {
    const reading = this.database.accessReader.query<{ name: string }>({
      text: 'select name from migrations',
      values: [],
    });
    const rows = await reading.catch((error: unknown) => {
      // If the table of migrations does not exist, no migration has run.
      if (databaseErrorCode(error) === '42P01') return [];
      throw error;
    });
    const applied = new Set(rows.map(({ name }) => name));
    const names = this.dataSource.migrations.map(({ name, constructor }) => name ?? constructor.name);
    return names.filter((name) => !applied.has(name));
  }

  /** Returns why the database cannot serve requests. The array is empty if it can. Never throws. */
  async readinessFaults(): Promise<ReadinessFault[]> {
    try {
      const missing = await this.pendingMigrations();
      return missing.map((name) => ({ reason: 'migrations', text: `the migration ${name} is missing` }));
    } catch (error) {
      return [describeDatabaseFault(error)];
    }
  }
}
