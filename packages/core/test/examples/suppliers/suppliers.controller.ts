import { Body, Delete, Get, Param, Patch, Post, Put } from '@nestjs/common';
import {
  Caller,
  CurrentUser,
  ListQuery,
  Page,
  ParseIdPipe,
  Preconditions,
  RequirePermission,
  Resource,
  Transaction,
} from '@plinth/core';

import { PatchSupplierDto, SupplierBodyDto, SupplierDto } from './supplier.dto.js';
import { Supplier } from './supplier.entity.js';
import { supplierList, SUPPLIERS } from './supplier.resource.js';
import { SuppliersService } from './suppliers.service.js';

@Resource({ ...SUPPLIERS, version: '2', responseDto: SupplierDto })
export class SuppliersController {
  constructor(private readonly suppliers: SuppliersService) {}

  @Get()
  @RequirePermission('read', { staff: true })
  list(@ListQuery(supplierList) query: ListQuery): Promise<Page<Supplier>> {
    return this.suppliers.list(query);
  }

  @Get(':id')
  @RequirePermission('read', { staff: true })
  get(@Param('id', ParseIdPipe) id: number, @CurrentUser() caller: Caller): Promise<Supplier> {
    return this.suppliers.get(id, caller);
  }

  @Post()
  @RequirePermission('create')
  create(@Body() body: SupplierBodyDto, @Transaction() tx: Transaction): Promise<Supplier> {
    return this.suppliers.create(body, tx);
  }

  @Put(':id')
  @RequirePermission('update')
  replace(
    @Param('id', ParseIdPipe) id: number,
    @Body() body: SupplierBodyDto,
    @CurrentUser() caller: Caller,
    @Preconditions() preconditions: Preconditions,
  ): Promise<Supplier> {
    return this.suppliers.replace(id, body, caller, preconditions);
  }

  @Patch(':id')
  @RequirePermission('update')
  patch(
    @Param('id', ParseIdPipe) id: number,
    @Body() body: PatchSupplierDto,
    @CurrentUser() caller: Caller,
    @Preconditions() preconditions: Preconditions,
  ): Promise<Supplier> {
    return this.suppliers.patch(id, body, caller, preconditions);
  }

  @Delete(':id')
  @RequirePermission('delete')
  remove(
    @Param('id', ParseIdPipe) id: number,
    @CurrentUser() caller: Caller,
    @Preconditions() preconditions: Preconditions,
  ): Promise<void> {
    return this.suppliers.remove(id, caller, preconditions);
  }
}
