import { Injectable } from '@nestjs/common';
import { Database, ResourceRepository } from '@plinth/core';

import { Company } from './company.entity.js';
import { COMPANIES } from './company.resource.js';

@Injectable()
export class CompaniesRepository extends ResourceRepository<Company> {
  constructor(database: Database) {
    super(database, COMPANIES);
  }
}
