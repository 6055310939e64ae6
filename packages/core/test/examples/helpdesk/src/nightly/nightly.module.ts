import { Module } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { TypeOrmModule } from '@nestjs/typeorm';

import { AttachmentsModule } from '../attachments/attachments.module.js';
import { NightlyRun } from './nightly-run.entity.js';
import { NightlyProcessor } from './nightly.processor.js';

@Module({
  imports: [TypeOrmModule.forFeature([NightlyRun]), ScheduleModule.forRoot(), AttachmentsModule],
  providers: [NightlyProcessor],
})
export class NightlyModule {}
