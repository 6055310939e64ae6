import { Injectable } from '@nestjs/common';

import { Connection, Database } from '../core/index.js';

/** A change of a user's credentials or permissions. */
export interface UserChange {
  readonly userId: number;
  readonly what: 'password' | 'role' | 'deletion';
  /** The login that made the change, and survives it: of a new password only. */
  readonly keepLoginId?: number | null;
}

/** Runs in the transaction of a change, after its statements; an error rolls the change back. */
export type ChangeParticipant = (change: UserChange, on: Connection) => Promise<void>;

/** Announces changes of users to modules that issue something to them. */
@Injectable()
export class UserChanges {
  private readonly participants: ChangeParticipant[] = [];

  constructor(private readonly database: Database) {}

  onChange(participant: ChangeParticipant): void {
    this.participants.push(participant);
  }

  /**
   * Runs `work` in a transaction in which it announces each change after the statements that make it.
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
        for (const participant of this.participants) await participant(change, connection);
      }),
    );
  }
}
