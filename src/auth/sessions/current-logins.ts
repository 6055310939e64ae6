import { Injectable } from '@nestjs/common';

import { Notifications } from '../../core/index.js';
import { BatchLoader, NotifiedCache } from '../../core/auth.js';
import { UserChanges } from '../../users/user-changes.service.js';
import { CurrentLogin, LOGIN_ENDED, LoginsRepository } from './logins.repository.js';

const REMEMBERED_LOGINS = 50_000;

/** The logins that have not ended, cached until they end, or their user changes, on any instance. */
@Injectable()
export class CurrentLogins {
  private readonly remembered: NotifiedCache<CurrentLogin>;
  private readonly byId: BatchLoader<number, CurrentLogin>;

  constructor(logins: LoginsRepository, notifications: Notifications, changes: UserChanges) {
    this.remembered = new NotifiedCache(notifications, {
      max: REMEMBERED_LOGINS,
      ownersOf: ({ userId }) => [userId],
    });
    this.byId = new BatchLoader((ids) => logins.findCurrent(ids));
    notifications.on(LOGIN_ENDED, (id) => {
      this.forget(Number(id));
    });
    changes.onCommitted(({ userId }) => {
      this.remembered.forget(userId);
    });
  }

  /** The user of a login, with their current role; `undefined` if the login has ended. */
  find(loginId: number): Promise<CurrentLogin | undefined> {
    return this.remembered.load(String(loginId), () => this.byId.load(loginId));
  }

  /** Removes a login from the cache. */
  forget(loginId: number): void {
    this.remembered.forgetKey(String(loginId));
  }
}
