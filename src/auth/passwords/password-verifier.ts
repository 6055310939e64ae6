import { availableParallelism } from 'node:os';

import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import pLimit, { LimitFunction } from 'p-limit';

import { Config } from '../../core/index.js';
import { User } from '../../users/user.entity.js';
import { UsersService } from '../../users/users.service.js';
import { LoginLimits } from './login-limits.js';

/** Verifies passwords, for logins and Basic alike, within limits that both share. */
@Injectable()
export class PasswordVerifier {
  /** As many as are hashed at once, so that the limits are checked when a password's turn has come. */
  private readonly slots: LimitFunction;

  constructor(
    private readonly users: UsersService,
    private readonly limits: LoginLimits,
    config: ConfigService<Config, true>,
  ) {
    const workers = config.get('workers', { infer: true });
    this.slots = pLimit(Math.max(1, Math.floor((availableParallelism() - 1) / workers)));
  }

  /**
   * The user of an e-mail and password, or `null`; neither result nor duration tells which of the two is wrong.
   *
   * @param address of the client
   * @throws ApiError `RATE_LIMIT_EXCEEDED`
   */
  async verify(email: string, password: string, address: string): Promise<User | null> {
    const attempt = { email, address };
    // Before waiting and after: of many attempts that wait, those past the limit are not verified.
    await this.limits.check(attempt);
    return this.slots(async () => {
      await this.limits.check(attempt);
      const user = await this.users.findByPassword(email, password);
      // Others have been verified meanwhile, in other slots and instances: past the limit no result is told.
      await (user ? this.limits.succeeded(attempt) : this.limits.failed(attempt));
      return user;
    });
  }
}
