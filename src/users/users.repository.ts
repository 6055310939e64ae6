import { Injectable } from '@nestjs/common';

import {
  canonicalEmail,
  Connection,
  Database,
  EVERYTHING,
  Key,
  Preconditions,
  isAnyOf,
  ResourceRepository,
  Role,
  Visibility,
  writingUser,
} from '../core/index.js';
import { BatchLoader } from '../core/auth.js';
import { User } from './user.entity.js';
import { USERS } from './user.resource.js';

export interface NewUser {
  readonly email: string;
  readonly passwordHash: string;
  readonly name?: string | null;
  readonly role: Role;
}

export type Credentials = User & { readonly passwordHash: string };

/** The users that a write concerns, locked until the end of its transaction. */
export interface LockedUsers {
  readonly caller: User | undefined;
  /** The user to be written. */
  readonly user: User | undefined;
  /** The ids of all administrators; empty unless requested. */
  readonly adminIds: readonly number[];
}

@Injectable()
export class UsersRepository extends ResourceRepository<User> {
  private readonly credentials = new BatchLoader<string, Credentials>(async (emails) => {
    const text = `select ${this.table.selection}, password_hash as "passwordHash" from users
      where ${isAnyOf('canonical_email', '$1', 'varchar')}`;
    const users = await this.database.query<Credentials>({ text, values: [emails], name: 'credentials' });
    return new Map(users.map((user) => [user.canonicalEmail, user]));
  });

  constructor(database: Database) {
    super(database, USERS);
  }

  /** The user of an e-mail, however it is spelled, with the hash of the password. */
  findCredentials(email: string): Promise<Credentials | undefined> {
    return this.credentials.load(canonicalEmail(email));
  }

  /** The hash of a user's password; `undefined` if there is no such user. */
  async findPasswordHash(id: number, on: Connection = this.database): Promise<string | undefined> {
    const text = 'select password_hash as "passwordHash" from users where id = $1';
    const [user] = await on.query<{ passwordHash: string }>({ text, values: [id] });
    return user?.passwordHash;
  }

  async setPasswordHash(id: number, passwordHash: string, on: Connection): Promise<void> {
    await this.update(id, { passwordHash }, EVERYTHING, undefined, on);
  }

  async hasAdmin(): Promise<boolean> {
    const text = `select 1 from users where role = 'admin' limit 1`;
    return (await this.database.query({ text, values: [] })).length > 0;
  }

  /**
   * Locks a user, the caller who writes them, and on request all administrators, in the order of their ids, so that
   * concurrent writes cannot deadlock.
   */
  async lockForWrite(
    id: number,
    callerId: number | null,
    withAdmins: boolean,
    on: Connection,
  ): Promise<LockedUsers> {
    const text = `
      select ${this.table.selection} from users where id = any($1::int[]) or ($2 and role = 'admin')
      order by id for no key update`;
    const values = [[id, callerId].filter((each) => each !== null), withAdmins];
    const rows = await on.query<User>({ text, values, name: 'users_lock' });
    const find = (sought: number | null): User | undefined => rows.find((row) => row.id === sought);
    const admins = withAdmins ? rows.filter(({ role }) => role === 'admin') : [];
    return { user: find(id), caller: find(callerId), adminIds: admins.map((admin) => admin.id) };
  }

  /** @throws ApiError `EMAIL_ALREADY_EXISTS` */
  async add(user: NewUser, on: Connection = this.database): Promise<User> {
    const stored = { ...user, canonicalEmail: canonicalEmail(user.email) };
    const added = await this.insert(stored, on);
    // Who registers is nobody yet, and may read by Basic what replicas do not have yet.
    const { replicas } = this.database;
    if (replicas) on.afterCommit(() => replicas.wrote(writingUser(added.id)));
    return added;
  }

  override update(
    key: Key<User>,
    changes: Partial<User>,
    scope: Visibility,
    conditions?: Preconditions,
    on?: Connection,
  ): Promise<User> {
    const { email } = changes;
    const stored = email === undefined ? changes : { ...changes, canonicalEmail: canonicalEmail(email) };
    return super.update(key, stored, scope, conditions, on);
  }
}
