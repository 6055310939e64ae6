import { Injectable } from '@nestjs/common';

import { INVALID_CREDENTIALS, unauthorized } from '#src/auth/auth.errors.js';
import { AccessTokens } from '#src/auth/tokens/access-tokens.js';
import { toUser } from '#src/users/user.mapper.js';
import { UsersService } from '#src/users/users.service.js';

import { LoginDto, LoginResultDto } from './login.dto.js';

@Injectable()
export class LoginService {
  constructor(
    private readonly users: UsersService,
    private readonly tokens: AccessTokens,
  ) {}

  /** @throws ApiError `INVALID_CREDENTIALS`, alike and after the same time for a wrong e-mail and a wrong password */
  async login({ email, password }: LoginDto): Promise<LoginResultDto> {
    const user = await this.users.findByPassword(email, password);
    if (!user) throw unauthorized(INVALID_CREDENTIALS);
    return { ...this.tokens.sign(user), tokenType: 'Bearer', user: toUser(user) };
  }
}
