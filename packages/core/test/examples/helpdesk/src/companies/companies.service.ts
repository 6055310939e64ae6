import { Injectable } from '@nestjs/common';
import { ResourceService } from '@plinth/core';

import { CompaniesRepository } from './companies.repository.js';
import { Company } from './company.entity.js';

@Injectable()
export class CompaniesService extends ResourceService<Company> {
  constructor(companies: CompaniesRepository) {
    super(companies);
  }
}
