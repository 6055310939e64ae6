import { Injectable } from '@nestjs/common';

import {
  BatchLoader,
  canonicalEmail,
  Connection,
  Database,
  EVERYTHING,
  isAnyOf,
  Key,
  Preconditions,
  ResourceRepository,
  Visibility,
  writingUser,
} from '../core/index.js';
import { User } from './user.entity.js';
import { USERS } from './user.resource.js';

export type Credentials = User & { readonly passwordHash: string };

@Injectable()
export class UsersRepository extends ResourceRepository<User> {
  private readonly selected = `${this.table.whole}, password_hash as "passwordHash"`;
  private readonly credentials = new BatchLoader<string, Credentials>(async (emails) => {
    const text = `select ${this.selected} from users
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
  async findPasswordHash(id: number): Promise<string | undefined> {
    const text = 'select password_hash as "passwordHash" from users where id = $1';
    const [user] = await this.database.query<{ passwordHash: string }>({ text, values: [id] });
    return user?.passwordHash;
  }

  /** Gives a user another password, and ends all their logins. */
  async setPasswordHash(id: number, passwordHash: string): Promise<void> {
    await this.database.transaction(async (on) => {
      await this.update(id, { passwordHash }, EVERYTHING, undefined, on);
      await this.endLogins(id, null, on);
    });
  }

  /** Ends the logins of a user except one: what a session store has of them is good for nothing without them. */
  async endLogins(id: number, exceptId: number | null, on: Connection): Promise<void> {
    const text = 'delete from logins where user_id = $1 and id is distinct from $2::int';
    await on.query({ text, values: [id, exceptId], name: 'logins_end' });
  }

  hasAdmin(): Promise<boolean> {
    return this.database.manager.existsBy(User, { role: 'admin' });
  }

  /** Locks users, and on request all administrators, in the order of their ids, so that writes cannot deadlock. */
  lockAll(ids: readonly number[], withAdmins: boolean, on: Connection): Promise<Credentials[]> {
    const text = `
      select ${this.selected} from users where id = any($1::int[]) or ($2 and role = 'admin')
      order by id for no key update`;
    return on.query<Credentials>({ text, values: [ids, withAdmins], name: 'users_lock' });
  }

  /** @throws ApiError `EMAIL_ALREADY_EXISTS` */
  async add(
    user: Partial<User> & Pick<Credentials, 'email' | 'passwordHash'>,
    on: Connection = this.database,
  ): Promise<User> {
    const added = await this.insert({ ...user, canonicalEmail: canonicalEmail(user.email) }, on);
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
