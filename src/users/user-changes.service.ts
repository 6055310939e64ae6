import { Injectable } from '@nestjs/common';

import { Connection, Database, Notifications, notify } from '../core/index.js';

/** A change of a user's credentials or permissions, which makes what is cached of them stale. */
export interface UserChange {
  readonly userId: number;
  readonly what: 'password' | 'role' | 'email' | 'deletion';
  /** The login that made the change, and survives it: of a new password only. */
  readonly keepLoginId?: number | null;
}

/** Runs in the transaction of a change, after its statements; an error rolls the change back. */
export type ChangeParticipant = (change: UserChange, on: Connection) => Promise<void>;

/** Runs after the commit of a change: on this instance before the response, on others soon after. */
export type ChangeListener = (change: UserChange) => void;

const CHANNEL = 'user_changed';

/** Announces changes of users to modules that cache something of users or issue something to them. */
@Injectable()
export class UserChanges {
  private readonly participants: ChangeParticipant[] = [];
  private readonly listeners: ChangeListener[] = [];

  constructor(
    private readonly database: Database,
    notifications: Notifications,
  ) {
    notifications.on(CHANNEL, (payload) => {
      this.notifyListeners(JSON.parse(payload) as UserChange);
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
          this.notifyListeners(change);
        });
        for (const participant of this.participants) await participant(change, connection);
        await notify(connection, CHANNEL, JSON.stringify(change));
      }),
    );
  }

  private notifyListeners(change: UserChange): void {
    for (const listener of this.listeners) listener(change);
  }
}
