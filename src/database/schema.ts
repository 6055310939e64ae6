import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { DataSource } from 'typeorm';

import { migrate } from './migrate.js';
import { Migration, ModuleMigrations } from './migrations.module.js';
import { MIGRATIONS } from './migrations/migrations.js';

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

  private ofModules(): Migration[] {
    return this.discovery
      .getProviders()
      .flatMap(({ instance }) => (instance instanceof ModuleMigrations ? instance.migrations : []));
  }
}
