import { DynamicModule, Inject, Module } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { type Migrations } from './migrate.js';

const MODULE_MIGRATIONS = Symbol('migrations of a module');

/**
 * Lets a module bring migrations along: they run with those of the service, ordered by the times in their names.
 * @example @Module({ imports: [MigrationsModule.of(CreateInvoices1764000000000)] })
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
