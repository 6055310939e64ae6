import { DynamicModule, Global, Module } from '@nestjs/common';

import { Config } from './config.js';

/** Makes the configuration injectable everywhere, by the class `Config`. */
@Global()
@Module({})
export class ConfigModule {
  static of(config: Config): DynamicModule {
    return { module: ConfigModule, providers: [{ provide: Config, useValue: config }], exports: [Config] };
  }
}
