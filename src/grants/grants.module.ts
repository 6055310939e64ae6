import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { GrantEntity } from './grant.entity.js';
import { AccessGrantsController } from './grants.controller.js';
import { GrantsRepository } from './grants.repository.js';
import { GrantsService } from './grants.service.js';
import { HeldGrants } from './held-grants.js';

@Module({
  imports: [TypeOrmModule.forFeature([GrantEntity])],
  controllers: [AccessGrantsController],
  providers: [GrantsService, GrantsRepository, HeldGrants],
})
export class GrantsModule {}
