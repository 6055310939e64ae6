import { Injectable, PipeTransform } from '@nestjs/common';

import { Passwords } from './passwords.js';
import { CreateUserDto } from './user.dto.js';

/**
 * Hashes the password of a new user. A pipe, so that no transaction is open meanwhile: it takes longer than the insert.
 */
@Injectable()
export class HashPassword implements PipeTransform<CreateUserDto, Promise<CreateUserDto>> {
  constructor(private readonly passwords: Passwords) {}

  async transform(body: CreateUserDto): Promise<CreateUserDto> {
    return Object.assign(body, { passwordHash: await this.passwords.hash(body.password) });
  }
}
