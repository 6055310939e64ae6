import { Module } from '@nestjs/common';
import { PlinthModule } from '@plinth/core';

import './config/access.js';
// In a project, these three are in src/. They are as `npm create plinth` makes them.
import { AuthModule } from '../../../../../../src/auth/auth.module.js';
import { VERSIONS } from '../../../../../../src/config/versions.js';
import { DOCS } from '../../../../../../src/docs/docs.js';
import { AttachmentsModule } from './attachments/attachments.module.js';
import { CommentsModule } from './comments/comments.module.js';
import { CompaniesModule } from './companies/companies.module.js';
import { MIGRATIONS } from './migrations/migrations.js';
import { NightlyModule } from './nightly/nightly.module.js';
import { TicketsModule } from './tickets/tickets.module.js';
import { UsersModule } from './users/users.module.js';

@Module({
  imports: [
    PlinthModule.forRoot({ migrations: MIGRATIONS, docs: DOCS, versions: VERSIONS }),
    CompaniesModule,
    UsersModule,
    TicketsModule,
    CommentsModule,
    AttachmentsModule,
    NightlyModule,
    AuthModule,
  ],
})
export class AppModule {}
