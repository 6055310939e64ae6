import { Injectable } from '@nestjs/common';
import { Database } from '@plinth/core';
import { AccountsRepository } from '@plinth/core/auth';

import { User } from './user.entity.js';
import { USERS } from './user.resource.js';

@Injectable()
export class UsersRepository extends AccountsRepository<User> {
  constructor(database: Database) {
    super(database, USERS);
  }
}
