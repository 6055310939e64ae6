import { Injectable } from '@nestjs/common';

import { Notifications } from '../../core/index.js';
import { NotifiedCache } from '../../core/auth.js';
import { UserChanges } from '../../users/user-changes.service.js';
import { UsersService } from '../../users/users.service.js';

const REMEMBERED_USERS = 50_000;

/** The users that exist, cached until they are deleted on any instance. */
@Injectable()
export class CurrentUsers {
  private readonly existing: NotifiedCache<{ readonly id: number }>;

  constructor(
    private readonly users: UsersService,
    notifications: Notifications,
    changes: UserChanges,
  ) {
    this.existing = new NotifiedCache(notifications, { max: REMEMBERED_USERS });
    changes.onCommitted(({ userId, what }) => {
      if (what === 'deletion') this.existing.forgetKey(String(userId));
    });
  }

  /** Whether a user exists, without a promise where that is in memory. */
  has(userId: number): boolean | Promise<boolean> {
    return this.existing.get(String(userId)) !== undefined || this.lookUp(userId);
  }

  private async lookUp(userId: number): Promise<boolean> {
    const found = await this.existing.load(String(userId), async () =>
      (await this.users.exists(userId)) ? { id: userId } : undefined,
    );
    return found !== undefined;
  }
}
