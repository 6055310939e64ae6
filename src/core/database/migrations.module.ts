import { DynamicModule, Module } from '@nestjs/common';
import { MigrationInterface } from 'typeorm';

export type Migration = new () => MigrationInterface;

/** Migrations that a module brings along. */
export class ModuleMigrations {
  constructor(readonly migrations: readonly Migration[]) {}
}

/**
 * Lets a module bring migrations along, as one of another package does: they run with those of the service, ordered by
 * the times in their names.
 *
 * @example @Module({ imports: [TypeOrmModule.forFeature([Parcel]), MigrationsModule.of(CreateParcels1763800000000)] })
 */
@Module({})
export class MigrationsModule {
  static of(...migrations: readonly Migration[]): DynamicModule {
    const provide = Symbol(migrations.map(({ name }) => name).join());
    return {
      module: MigrationsModule,
      providers: [{ provide, useValue: new ModuleMigrations(migrations) }],
    };
  }
}
