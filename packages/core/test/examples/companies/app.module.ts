import { Get, Injectable, Module, Param } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import {
  Caller,
  CurrentUser,
  Database,
  ListQuery,
  Page,
  ParseIdPipe,
  PickOf,
  PlinthModule,
  Resource,
  ResourceReads,
  ResourceRepository,
} from '@plinth/core';

import './access.js';
import { AuthModule } from '../../../../../src/auth/auth.module.js';
import { VERSIONS } from '../../../../../src/config/versions.js';
import { DOCS } from '../../../../../src/docs/docs.js';
import { MIGRATIONS } from '../../../../../src/migrations/migrations.js';
import { COMPANIES, Company, companyList } from './companies.js';
import { ReactionsModule } from './reactions.module.js';
import { SharesModule } from './shares.module.js';
import { TicketsModule } from './tickets.module.js';
import { UsersModule } from './users.module.js';

export class CompanyDto extends PickOf(Company, ['id', 'name']) {}

@Injectable()
export class CompaniesRepository extends ResourceRepository<Company> {
  constructor(database: Database) {
    super(database, COMPANIES);
  }
}

@Injectable()
export class CompaniesService extends ResourceReads<Company> {
  constructor(companies: CompaniesRepository) {
    super(companies);
  }
}

@Resource({ ...COMPANIES, version: '1', responseDto: CompanyDto })
export class CompaniesController {
  constructor(private readonly companies: CompaniesService) {}

  @Get()
  list(@ListQuery(companyList) query: ListQuery): Promise<Page<Company>> {
    return this.companies.list(query);
  }

  @Get(':id')
  get(@Param('id', ParseIdPipe) id: number, @CurrentUser() caller: Caller): Promise<Company> {
    return this.companies.get(id, caller);
  }
}

/** A help desk for several companies. */
@Module({
  imports: [
    PlinthModule.forRoot({ migrations: MIGRATIONS, docs: DOCS, versions: VERSIONS }),
    TypeOrmModule.forFeature([Company]),
    UsersModule,
    TicketsModule,
    ReactionsModule,
    SharesModule,
    AuthModule,
  ],
  controllers: [CompaniesController],
  providers: [CompaniesRepository, CompaniesService],
})
export class CompaniesAppModule {}
