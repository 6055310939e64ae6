import { DynamicModule, Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource, DataSourceOptions } from 'typeorm';

import { Config } from '../config/config.js';
import { dataSourceOptions, replicaPool } from './data-source-options.js';
import { Database } from './database.js';
import { OnDatabaseAway, retryWhileAway } from './database-away.js';
import { DatabaseSchema } from './database-schema.js';

/**
 * Provides the connections to PostgreSQL to every module. A module adds its entities by `TypeOrmModule.forFeature()`.
 */
@Global()
@Module({})
export class DatabaseModule {
  /** @param onAway is called while the database is away, before the first connection */
  static forRoot(url: string, { database }: Config, onAway: OnDatabaseAway): DynamicModule {
    const { replicaUrls, replicaLagSeconds } = database;
    const pools = replicaUrls.map((replica) => replicaPool(replica, database));
    const replicas =
      pools.length > 0 ? { pools, maxLagMs: replicaLagSeconds * 1000, primaryUrl: url } : undefined;
    const useFactory = (dataSource: DataSource): Database => new Database(dataSource, replicas);
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRootAsync({
          useFactory: () => ({
            ...dataSourceOptions(url, database),
            autoLoadEntities: true,
            // `retryWhileAway()` tries again instead.
            toRetry: () => false,
          }),
          // A data source whose connection has failed cannot be used again.
          dataSourceFactory: (options) =>
            retryWhileAway(() => new DataSource(options as DataSourceOptions).initialize(), onAway),
        }),
      ],
      providers: [{ provide: Database, inject: [DataSource], useFactory }, DatabaseSchema],
      exports: [Database, DatabaseSchema],
    };
  }
}
