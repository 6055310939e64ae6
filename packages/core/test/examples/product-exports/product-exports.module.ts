import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MigrationsModule } from '@plinth/core';

import { CreateProductExports1795400000000 } from './1795400000000-create-product-exports.js';
import { ProductExport } from './product-export.entity.js';
import { ProductExportsController } from './product-exports.controller.js';
import { ProductExportsProcessor } from './product-exports.processor.js';
import { ProductExportsRepository } from './product-exports.repository.js';
import { ProductExportsService } from './product-exports.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([ProductExport]),
    MigrationsModule.forFeature(CreateProductExports1795400000000),
  ],
  controllers: [ProductExportsController],
  providers: [ProductExportsService, ProductExportsRepository, ProductExportsProcessor],
})
export class ProductExportsModule {}
