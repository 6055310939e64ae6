import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { codeOf } from './database-error.js';
import { Database } from './database.js';
import { Schema } from './schema.js';

const UNDEFINED_TABLE = '42P01';

/** Whether the database can serve requests. */
@Injectable()
export class DatabaseHealth {
  private isMigrated = false;

  constructor(
    private readonly database: Database,
    private readonly dataSource: DataSource,
    private readonly schema: Schema,
  ) {}

  /** The reasons why it cannot, as half sentences; empty: it can. Never throws. */
  async missing(): Promise<string[]> {
    try {
      if (this.isMigrated) await this.database.query({ text: 'select 1', values: [] });
      else return await this.missingMigrations();
    } catch (error) {
      const isEmpty = codeOf(error) === UNDEFINED_TABLE;
      return [isEmpty ? 'no migration has run' : 'the database does not answer'];
    }
    return [];
  }

  private async missingMigrations(): Promise<string[]> {
    const table = `"${this.dataSource.options.migrationsTableName ?? 'migrations'}"`;
    const text = `select name from ${table}`;
    const applied = new Set(
      (await this.database.query<{ name: string }>({ text, values: [] })).map(({ name }) => name),
    );
    const missing = this.schema.migrations.filter(({ name }) => !applied.has(name));
    this.isMigrated = missing.length === 0;
    return missing.map(({ name }) => `the migration ${name} is missing`);
  }
}
