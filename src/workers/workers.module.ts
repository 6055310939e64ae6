import { DynamicModule, Global, Module } from '@nestjs/common';

import { PrimaryLink } from './primary-link.js';

/** Provides the link of a worker to its primary, if this process is a worker: inject it as optional. */
@Global()
@Module({})
export class WorkersModule {
  static of(link: PrimaryLink | undefined): DynamicModule {
    if (!link) return { module: WorkersModule };
    return {
      module: WorkersModule,
      providers: [{ provide: PrimaryLink, useValue: link }],
      exports: [PrimaryLink],
    };
  }
}
