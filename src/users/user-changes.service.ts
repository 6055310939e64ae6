import { Injectable } from '@nestjs/common';

import { Connection } from '../database/connection.js';
import { Database } from '../database/database.js';
import { Notifications, notify } from '../database/notifications.js';

/** A change of a user's credentials or permissions, which makes what is cached of them stale. */
export interface UserChange {
  readonly userId: number;
  readonly what: 'password' | 'role' | 'email' | 'deletion';
  /** The login that made the change, and survives it: of a new password only. */
  readonly keepLoginId?: number | null;
}

/** Takes part in a change, in its transaction and after its statements; an error undoes the change. */
export type ChangeParticipant = (change: UserChange, on: Connection) => Promise<void>;

/** Is told of a committed change: of this instance before its caller is, of other instances soon after. */
export type ChangeListener = (change: UserChange) => void;

const CHANNEL = 'user_changed';

/**
 * Announces changes of users. Modules that cache something of users, or issue something to them, subscribe here, so
 * that this module need not know them.
 */
@Injectable()
export class UserChanges {
  private readonly participants: ChangeParticipant[] = [];
  private readonly listeners: ChangeListener[] = [];

  constructor(
    private readonly database: Database,
    notifications: Notifications,
  ) {
    notifications.on(CHANNEL, (payload) => {
      this.tell(JSON.parse(payload) as UserChange);
    });
  }

  onChange(participant: ChangeParticipant): void {
    this.participants.push(participant);
  }

  onCommitted(listener: ChangeListener): void {
    this.listeners.push(listener);
  }

  /**
   * Runs `work` in a transaction in which it announces each change after the statements that make it. When this
   * returns, every participant and every listener of this instance has been told.
   *
   * @example
   * changes.transaction(async (connection, announce) => {
   *   await users.setPassword(id, hash, connection);
   *   await announce({ userId: id, what: 'password', keepLoginId: caller.loginId });
   * });
   */
  transaction<T>(
    work: (connection: Connection, announce: (change: UserChange) => Promise<void>) => Promise<T>,
  ): Promise<T> {
    return this.database.transaction((connection) =>
      work(connection, async (change) => {
        connection.afterCommit(() => {
          this.tell(change);
        });
        for (const participant of this.participants) await participant(change, connection);
        await notify(connection, CHANNEL, JSON.stringify(change));
      }),
    );
  }

  private tell(change: UserChange): void {
    for (const listener of this.listeners) listener(change);
  }
}
