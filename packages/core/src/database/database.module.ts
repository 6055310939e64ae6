import { DynamicModule, Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';

import { Config } from '../config/config.js';
import { dataSourceOptions, replicaPool } from './data-source-options.js';
import { Database } from './database.js';
import { DatabaseSchema } from './database-schema.js';

/**
 * Provides the connections to PostgreSQL to every module. A module adds its entities by `TypeOrmModule.forFeature()`.
 */
@Global()
@Module({})
export class DatabaseModule {
  static forRoot(url: string, { database }: Config): DynamicModule {
    const { replicaUrls, replicaLagSeconds } = database;
    const pools = replicaUrls.map((replica) => replicaPool(replica, database));
    const replicas =
      pools.length > 0 ? { pools, maxLagMs: replicaLagSeconds * 1000, primaryUrl: url } : undefined;
    const useFactory = (dataSource: DataSource): Database => new Database(dataSource, replicas);
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRoot({
          ...dataSourceOptions(url, database),
          autoLoadEntities: true,
          retryAttempts: 5,
          retryDelay: 1000,
        }),
      ],
      providers: [{ provide: Database, inject: [DataSource], useFactory }, DatabaseSchema],
      exports: [Database, DatabaseSchema],
    };
  }
}
