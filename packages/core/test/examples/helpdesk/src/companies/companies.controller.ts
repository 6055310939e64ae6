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

import { CompaniesService } from './companies.service.js';
import { CompanyBodyDto, CompanyDto, PatchCompanyDto } from './company.dto.js';
import { Company } from './company.entity.js';
import { COMPANIES, companyList } from './company.resource.js';

@Resource({ ...COMPANIES, version: '1', responseDto: CompanyDto })
export class CompaniesController {
  constructor(private readonly companies: CompaniesService) {}

  @Get()
  @RequirePermission('read')
  list(@ListQuery(companyList) query: ListQuery): Promise<Page<Company>> {
    return this.companies.list(query);
  }

  @Get(':id')
  @RequirePermission('read')
  get(@Param('id', ParseIdPipe) id: number, @CurrentUser() caller: Caller): Promise<Company> {
    return this.companies.get(id, caller);
  }

  @Post()
  @RequirePermission('create', { staff: true })
  create(
    @Body() body: CompanyBodyDto,
    @CurrentUser() caller: Caller,
    @Transaction() tx: Transaction,
  ): Promise<Company> {
    return this.companies.create(body, tx, caller);
  }

  @Put(':id')
  @RequirePermission('update')
  replace(
    @Param('id', ParseIdPipe) id: number,
    @Body() body: CompanyBodyDto,
    @CurrentUser() caller: Caller,
    @Preconditions() preconditions: Preconditions,
  ): Promise<Company> {
    return this.companies.replace(id, body, caller, preconditions);
  }

  @Patch(':id')
  @RequirePermission('update')
  patch(
    @Param('id', ParseIdPipe) id: number,
    @Body() body: PatchCompanyDto,
    @CurrentUser() caller: Caller,
    @Preconditions() preconditions: Preconditions,
  ): Promise<Company> {
    return this.companies.patch(id, body, caller, preconditions);
  }

  @Delete(':id')
  @RequirePermission('delete')
  remove(
    @Param('id', ParseIdPipe) id: number,
    @CurrentUser() caller: Caller,
    @Preconditions() preconditions: Preconditions,
  ): Promise<void> {
    return this.companies.remove(id, caller, preconditions);
  }
}
