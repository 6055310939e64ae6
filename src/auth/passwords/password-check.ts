import { availableParallelism } from 'node:os';

import { Injectable } from '@nestjs/common';
import pLimit from 'p-limit';

import { UserRow } from '../../users/users.repository.js';
import { UsersService } from '../../users/users.service.js';
import { LoginLimits } from './login-limits.js';

/** The one way a password is tried, by login and by Basic: within limits that both share. */
@Injectable()
export class PasswordCheck {
  /** As many as are hashed at once: so the limits are looked at when a password's turn has come. */
  private readonly slots = pLimit(Math.max(1, availableParallelism() - 1));

  constructor(
    private readonly users: UsersService,
    private readonly limits: LoginLimits,
  ) {}

  /**
   * The user of an e-mail and password, or `null`: which of the two is wrong, neither answer nor time tells.
   *
   * @param address where the attempt comes from
   * @throws ApiError `RATE_LIMIT_EXCEEDED`
   */
  async prove(email: string, password: string, address: string): Promise<UserRow | null> {
    const attempt = { email, address };
    // Before it waits, and again after: of many that wait, those past the limit are not tried.
    await this.limits.check(attempt);
    return this.slots(async () => {
      await this.limits.check(attempt);
      const user = await this.users.findByPassword(email, password);
      if (!user) await this.limits.failed(attempt);
      return user;
    });
  }
}
