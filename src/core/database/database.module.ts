import { DynamicModule, Global, Module, Provider } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';

import { Config } from '../config/config.js';
import { dataSourceOptions, replicaPool } from './data-source-options.js';
import { DatabaseHealth } from './database-health.js';
import { Database } from './database.js';
import { ReplicaPools } from './replicas/replicas.js';
import { Schema } from './schema.js';

/** The connection to PostgreSQL, for every module. Entities come with the modules that declare them. */
@Global()
@Module({})
export class DatabaseModule {
  /** @param url of the server, the embedded one's where the configuration names none */
  static connectedTo(url: string, config: Config): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [
        DiscoveryModule,
        TypeOrmModule.forRoot({
          ...dataSourceOptions(url, config.database),
          autoLoadEntities: true,
          retryAttempts: 5,
          retryDelay: 1000,
        }),
      ],
      providers: [...replicaProviders(url, config), Database, DatabaseHealth, Schema],
      exports: [Database, DatabaseHealth, Schema],
    };
  }
}

const replicaProviders = (primaryUrl: string, { database }: Config): Provider[] => {
  const { replicaUrls, replicaLagSeconds } = database;
  if (replicaUrls.length === 0) return [];
  const useFactory = (): ReplicaPools =>
    new ReplicaPools(
      replicaUrls.map((url) => replicaPool(url, database)),
      replicaLagSeconds * 1000,
      primaryUrl,
    );
  return [{ provide: ReplicaPools, useFactory }];
};
