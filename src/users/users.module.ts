import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { Accounts, Administrator } from '../core/index.js';
import { FirstAdmin } from './first-admin.js';
import { Passwords } from './passwords.js';
import { User } from './user.entity.js';
import { UsersController } from './users.controller.js';
import { UsersRepository } from './users.repository.js';
import { UsersService } from './users.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([User])],
  controllers: [UsersController],
  providers: [
    UsersService,
    UsersRepository,
    Passwords,
    { provide: Administrator, useClass: FirstAdmin },
    { provide: Accounts, useExisting: UsersService },
  ],
  exports: [Accounts, UsersService],
})
export class UsersModule {}
