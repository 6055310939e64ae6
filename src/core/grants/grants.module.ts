import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { AccessGrant } from './grant.entity.js';
import { AccessGrantsController } from './grants.controller.js';
import { GrantsRepository } from './grants.repository.js';
import { GrantsService } from './grants.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([AccessGrant])],
  controllers: [AccessGrantsController],
  providers: [GrantsService, GrantsRepository],
})
export class GrantsModule {}
