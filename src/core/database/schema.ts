import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { DataSource } from 'typeorm';

import { codeOf } from './database-error.js';
import { migrate, revert } from './migrate.js';
import { Migration, ModuleMigrations } from './migrations.module.js';

const UNDEFINED_TABLE = '42P01';

/** The schema of the database: the migrations of the service, and those that its modules bring along. */
@Injectable()
export class Schema {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly dataSource: DataSource,
  ) {}

  /** Brings the schema up to date. @returns the names of the migrations that ran */
  migrate(): Promise<string[]> {
    return migrate(this.dataSource, this.ofModules());
  }

  /** Takes the last migration back. */
  revert(): Promise<void> {
    return revert(this.dataSource, this.ofModules());
  }

  /** The names of the migrations that have not run. */
  async missing(): Promise<string[]> {
    const applied = await this.applied();
    const names = [...this.dataSource.migrations.map(({ name, constructor }) => name ?? constructor.name)];
    names.push(...this.ofModules().map(({ name }) => name));
    return names.filter((name) => !applied.has(name));
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

  private ofModules(): Migration[] {
    return this.discovery
      .getProviders()
      .flatMap(({ instance }) => (instance instanceof ModuleMigrations ? instance.migrations : []));
  }
}
