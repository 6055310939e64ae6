import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { DataSource } from 'typeorm';

import { codeOf } from './database-error.js';
import { migrate, plan, PlannedMigration, revert } from './migrate.js';
import { Migration, ModuleMigrations } from './migrations.module.js';
import { MIGRATIONS } from './migrations/migrations.js';

const UNDEFINED_TABLE = '42P01';

/** The schema of the database: the migrations of the service, and those that its modules bring along. */
@Injectable()
export class Schema {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly dataSource: DataSource,
  ) {}

  /** Every migration there is. */
  get migrations(): readonly Migration[] {
    return [...MIGRATIONS, ...this.ofModules()];
  }

  /** Brings the schema up to date. @returns the names of the migrations that ran */
  migrate(): Promise<string[]> {
    return migrate(this.dataSource, this.ofModules());
  }

  /** The names of the migrations that have not run. */
  async missing(): Promise<string[]> {
    const applied = await this.appliedMigrations();
    return this.migrations.filter(({ name }) => !applied.has(name)).map(({ name }) => name);
  }

  /** Takes the last migration back. @returns its name; `undefined`: none has run */
  revert(): Promise<string | undefined> {
    return revert(this.dataSource, this.ofModules());
  }

  /** The migrations that have not run, with their statements. Changes nothing. */
  plan(): Promise<PlannedMigration[]> {
    return plan(this.dataSource, this.ofModules());
  }

  private async appliedMigrations(): Promise<Set<string>> {
    const { migrationsTableName = 'migrations' } = this.dataSource.options;
    try {
      const rows = await this.dataSource.query<{ name: string }[]>(
        `select name from "${migrationsTableName}"`,
      );
      return new Set(rows.map(({ name }) => name));
    } catch (error) {
      if (codeOf(error) === UNDEFINED_TABLE) return new Set();
      throw error;
    }
  }

  private ofModules(): Migration[] {
    return this.discovery
      .getProviders()
      .flatMap(({ instance }) => (instance instanceof ModuleMigrations ? instance.migrations : []));
  }
}
