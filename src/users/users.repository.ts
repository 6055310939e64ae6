import { Injectable } from '@nestjs/common';

import { AccountsRepository } from '../core/auth.js';
import { Database } from '../core/index.js';
import { User } from './user.entity.js';
import { USERS } from './user.resource.js';

@Injectable()
export class UsersRepository extends AccountsRepository<User> {
  constructor(database: Database) {
    super(database, USERS);
  }
}
