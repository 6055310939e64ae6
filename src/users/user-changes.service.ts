import { Injectable } from '@nestjs/common';

import { Connection } from '../database/connection.js';
import { Database } from '../database/database.js';
import { Notifications, notify } from '../database/notifications.js';

/** That a user is not, or is not proved, as before: what was given out to them is good no longer. */
export interface UserChange {
  readonly userId: number;
  readonly what: 'password' | 'role' | 'deletion';
  /** The login that made the change, and outlives it: of a new password only. */
  readonly keepLoginId?: number | null;
}

/** Takes part in a change, in its transaction and after its statements; what it throws undoes the change. */
export type ChangeParticipant = (change: UserChange, on: Connection) => Promise<void>;

/** Hears of a change that was committed, of this instance before its caller does, of others soon after. */
export type ChangeListener = (change: UserChange) => void;

const CHANNEL = 'user_changed';

/**
 * Changes of users that others must know of: those who remember or gave out something take part here, so that users
 * need not know them.
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
   * Runs `work` in a transaction in which it announces, after the statements that make them, the changes that end
   * what was given out to a user. When this returns, they are ended.
   *
   * @example
   * changes.transaction(async (connection, announce) => {
   *   await users.setPassword(id, hash, connection);
   *   await announce({ userId: id, what: 'password', keepLoginId: caller.loginId });
   * });
   */
  async transaction<T>(
    work: (connection: Connection, announce: (change: UserChange) => Promise<void>) => Promise<T>,
  ): Promise<T> {
    let announced: UserChange[] = [];
    const result = await this.database.transaction((connection) => {
      announced = [];
      return work(connection, async (change) => {
        for (const participant of this.participants) await participant(change, connection);
        await notify(connection, CHANNEL, JSON.stringify(change));
        announced.push(change);
      });
    });
    for (const change of announced) this.tell(change);
    return result;
  }

  private tell(change: UserChange): void {
    for (const listener of this.listeners) listener(change);
  }
}
