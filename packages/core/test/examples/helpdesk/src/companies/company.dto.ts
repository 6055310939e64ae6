import { BodyOf, PatchOf, PickOf } from '@plinth/core';

import { Company } from './company.entity.js';

export class CompanyDto extends PickOf(Company, ['id', 'name', 'createdAt', 'updatedAt']) {}

export class CompanyBodyDto extends BodyOf(CompanyDto, ['name']) {}

export class PatchCompanyDto extends PatchOf(CompanyBodyDto) {}
