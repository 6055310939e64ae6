import { DynamicModule, Global, Module } from '@nestjs/common';

import { WorkerCounts } from '../http/rate-limit/worker-counts.js';
import { PrimaryLink } from './primary-link.js';

/** Provides what workers share by the link to their primary, if this process is a worker: inject it as optional. */
@Global()
@Module({})
export class WorkersModule {
  static of(link: PrimaryLink | undefined): DynamicModule {
    if (!link) return { module: WorkersModule };
    return {
      module: WorkersModule,
      providers: [{ provide: WorkerCounts, useValue: link }],
      exports: [WorkerCounts],
    };
  }
}
