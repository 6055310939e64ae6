import { Injectable } from '@nestjs/common';

import { Database } from './database.js';
import { Schema } from './schema.js';

/** Whether the database can serve requests. */
@Injectable()
export class DatabaseHealth {
  private isMigrated = false;

  constructor(
    private readonly database: Database,
    private readonly schema: Schema,
  ) {}

  /** The reasons why it cannot, as half sentences; empty: it can. Never throws. */
  async missing(): Promise<string[]> {
    try {
      if (!this.isMigrated) return await this.missingMigrations();
      await this.database.query({ text: 'select 1', values: [] });
      return [];
    } catch {
      return ['the database does not answer'];
    }
  }

  private async missingMigrations(): Promise<string[]> {
    const missing = await this.schema.missing();
    this.isMigrated = missing.length === 0;
    return missing.map((name) => `the migration ${name} is missing`);
  }
}
