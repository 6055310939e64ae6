import { Body, Get, Param, Post } from '@nestjs/common';
import { Caller, CurrentUser, ParseIdPipe, RequirePermission, Resource, Transaction } from '@plinth/core';

import { ProductExportBodyDto, ProductExportDto } from './product-export.dto.js';
import { ProductExport } from './product-export.entity.js';
import { PRODUCT_EXPORTS } from './product-export.resource.js';
import { ProductExportsService } from './product-exports.service.js';

@Resource({ ...PRODUCT_EXPORTS, version: '1', responseDto: ProductExportDto })
@RequirePermission('read', { staff: true })
export class ProductExportsController {
  constructor(private readonly exports: ProductExportsService) {}

  @Get(':id')
  get(@Param('id', ParseIdPipe) id: number, @CurrentUser() caller: Caller): Promise<ProductExport> {
    return this.exports.get(id, caller);
  }

  @Post()
  create(
    @Body() body: ProductExportBodyDto,
    @CurrentUser() caller: Caller,
    @Transaction() tx: Transaction,
  ): Promise<ProductExport> {
    return this.exports.create({ ...body, userId: caller.userId }, tx);
  }
}
