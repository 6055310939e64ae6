import { DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { Supplier } from '../suppliers/supplier.entity.js';
import { SuppliersController } from '../suppliers/suppliers.controller.js';
import { SuppliersRepository } from '../suppliers/suppliers.repository.js';
import { SuppliersService } from '../suppliers/suppliers.service.js';
import { Greeter } from './greeter.js';
import { WelcomedSuppliersService } from './welcomed-suppliers.service.js';

@Module({})
export class WelcomedSuppliersModule {
  static of(greeter: Greeter): DynamicModule {
    return {
      module: WelcomedSuppliersModule,
      imports: [TypeOrmModule.forFeature([Supplier])],
      controllers: [SuppliersController],
      providers: [
        SuppliersRepository,
        { provide: Greeter, useValue: greeter },
        { provide: SuppliersService, useClass: WelcomedSuppliersService },
      ],
    };
  }
}
