import { DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { Supplier } from '../suppliers/supplier.entity.js';
import { SuppliersController } from '../suppliers/suppliers.controller.js';
import { SuppliersService } from '../suppliers/suppliers.service.js';
import { Mails } from './mails.js';
import { WelcomedSuppliersService } from './welcomed-suppliers.service.js';

@Module({})
export class WelcomedSuppliersModule {
  static of(mails: Mails): DynamicModule {
    return {
      module: WelcomedSuppliersModule,
      imports: [TypeOrmModule.forFeature([Supplier])],
      controllers: [SuppliersController],
      providers: [
        { provide: Mails, useValue: mails },
        { provide: SuppliersService, useClass: WelcomedSuppliersService },
      ],
    };
  }
}
