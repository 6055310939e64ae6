import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { GrantEntity } from './grant.entity.js';
import { AccessGrantsController } from './grants.controller.js';
import { GrantsRepository } from './grants.repository.js';
import { GrantsService } from './grants.service.js';
import { CachedGrants } from './cached-grants.js';

@Module({
  imports: [TypeOrmModule.forFeature([GrantEntity])],
  controllers: [AccessGrantsController],
  providers: [GrantsService, GrantsRepository, CachedGrants],
})
export class GrantsModule {}
