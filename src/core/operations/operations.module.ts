import { DynamicModule, Module } from '@nestjs/common';

import { Lifecycle } from './availability.js';
import { HealthController } from './health.controller.js';

/** The routes for those who run the service. */
@Module({ controllers: [HealthController] })
export class OperationsModule {
  static of(lifecycle: Lifecycle): DynamicModule {
    return { module: OperationsModule, providers: [{ provide: Lifecycle, useValue: lifecycle }] };
  }
}
