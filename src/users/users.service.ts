import { Injectable } from '@nestjs/common';

import { Passwords } from './passwords.js';
import { UserRow, UsersRepository } from './users.repository.js';

@Injectable()
export class UsersService {
  constructor(
    private readonly users: UsersRepository,
    private readonly passwords: Passwords,
  ) {}

  /** The user of an e-mail and password, or `null`: which of the two is wrong, neither answer nor time tells. */
  async findByPassword(email: string, password: string): Promise<UserRow | null> {
    const user = await this.users.findCredentials(email);
    return (await this.passwords.verify(password, user?.passwordHash)) ? user : null;
  }
}
