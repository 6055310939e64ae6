import { DynamicModule, Inject, Module } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { type Migrations } from './migrate.js';

const MODULE_MIGRATIONS = Symbol('migrations of a module');

/**
 * Adds the migrations of a module to those of the service. All of them run in the order of the timestamps in their
 * names.
 * @example @Module({ imports: [MigrationsModule.forFeature(CreateInvoices1764000000000)] })
 */
@Module({})
export class MigrationsModule {
  constructor(dataSource: DataSource, @Inject(MODULE_MIGRATIONS) migrations: Migrations) {
    dataSource.migrations.push(...migrations.map((Migration) => new Migration()));
  }

  static forFeature(...migrations: Migrations): DynamicModule {
    return { module: MigrationsModule, providers: [{ provide: MODULE_MIGRATIONS, useValue: migrations }] };
  }
}
