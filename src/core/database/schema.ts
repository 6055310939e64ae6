import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { codeOf } from './database-error.js';
import { migrate } from './migrate.js';

const UNDEFINED_TABLE = '42P01';

/** The schema of the database: the migrations of the service, and those that its modules bring along. */
@Injectable()
export class Schema {
  private isMigrated = false;

  constructor(private readonly dataSource: DataSource) {}

  /** Brings the schema up to date. @returns the names of the migrations that ran */
  migrate(): Promise<string[]> {
    return migrate(this.dataSource);
  }

  /** The names of the migrations that have not run. */
  async missing(): Promise<string[]> {
    const applied = await this.applied();
    const names = this.dataSource.migrations.map(({ name, constructor }) => name ?? constructor.name);
    return names.filter((name) => !applied.has(name));
  }

  /** The reasons why the database cannot serve requests, as half sentences; empty: it can. Never throws. */
  async faults(): Promise<string[]> {
    try {
      if (this.isMigrated) {
        await this.dataSource.query('select 1');
        return [];
      }
      const missing = await this.missing();
      this.isMigrated = missing.length === 0;
      return missing.map((name) => `the migration ${name} is missing`);
    } catch {
      return ['the database does not answer'];
    }
  }

  private async applied(): Promise<Set<string>> {
    try {
      const rows = await this.dataSource.query<{ name: string }[]>('select name from migrations');
      return new Set(rows.map(({ name }) => name));
    } catch (error) {
      if (codeOf(error) === UNDEFINED_TABLE) return new Set();
      throw error;
    }
  }
}
