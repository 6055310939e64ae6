import { Body, Delete, Get, Patch, Post, Put } from '@nestjs/common';

import { ListQuery } from '../../../src/lists/list-parameters.decorator.js';
import { Preconditions } from '../../../src/resources/conditions.decorator.js';
import { PathId } from '../../../src/resources/path-id.decorator.js';
import { Resource } from '../../../src/resources/resource.js';
import { Transaction } from '../../../src/resources/transaction.decorator.js';
import { PatchSupplierDto, SupplierBodyDto, SupplierDto } from './supplier.dto.js';
import { SUPPLIERS } from './supplier.resource.js';
import { SuppliersService } from './suppliers.service.js';

@Resource({ ...SUPPLIERS, version: '2', of: SupplierDto })
export class SuppliersController {
  constructor(private readonly suppliers: SuppliersService) {}

  @Get()
  list(@ListQuery() query: ListQuery) {
    return this.suppliers.list(query);
  }

  @Get(':id')
  get(@PathId() id: number) {
    return this.suppliers.get(id);
  }

  @Post()
  create(@Body() body: SupplierBodyDto, @Transaction() tx: Transaction) {
    return this.suppliers.create(body, tx);
  }

  @Put(':id')
  replace(
    @PathId() id: number,
    @Body() body: SupplierBodyDto,
    @Preconditions() preconditions: Preconditions,
  ) {
    return this.suppliers.replace(id, body, preconditions);
  }

  @Patch(':id')
  patch(@PathId() id: number, @Body() body: PatchSupplierDto, @Preconditions() preconditions: Preconditions) {
    return this.suppliers.patch(id, body, preconditions);
  }

  @Delete(':id')
  remove(@PathId() id: number, @Preconditions() preconditions: Preconditions) {
    return this.suppliers.remove(id, preconditions);
  }
}
