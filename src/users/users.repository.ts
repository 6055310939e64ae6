import { Injectable } from '@nestjs/common';

import { Role } from '../access/permissions.js';
import { Connection } from '../database/connection.js';
import { Database } from '../database/database.js';
import { ResourceRepository, ResourceRow } from '../resources/resource-repository.js';
import { UserEntity } from './user.entity.js';
import { EMAIL_ALREADY_EXISTS, USER_HAS_ORDERS, USER_NOT_FOUND } from './user.errors.js';

/** A user as it is read: without the password. */
export interface UserRow extends ResourceRow {
  readonly email: string;
  readonly name: string | null;
  readonly role: Role;
}

/** What a new user is stored as. */
export interface NewUser {
  readonly email: string;
  readonly passwordHash: string;
  readonly name?: string | null;
  readonly role: Role;
}

@Injectable()
export class UsersRepository extends ResourceRepository<UserRow> {
  constructor(database: Database) {
    super(database, UserEntity, {
      notFound: USER_NOT_FOUND,
      constraints: { users_email_key: EMAIL_ALREADY_EXISTS, orders_user_id_fkey: USER_HAS_ORDERS },
    });
  }

  /** The user of an e-mail, in whatever case, with what the password is proved by; `null`: there is none. */
  async findCredentials(email: string): Promise<(UserRow & { passwordHash: string }) | null> {
    const text = `select ${this.table.selection}, password_hash as "passwordHash" from users where lower(email) = lower($1)`;
    const values = [email];
    const [user] = await this.database.query<UserRow & { passwordHash: string }>({
      text,
      values,
      name: 'credentials',
    });
    return user ?? null;
  }

  /** What a user's password is proved by; `undefined`: there is no such user. */
  async findPasswordHash(id: number): Promise<string | undefined> {
    const text = 'select password_hash as "passwordHash" from users where id = $1';
    const [user] = await this.database.query<{ passwordHash: string }>({ text, values: [id] });
    return user?.passwordHash;
  }

  async setPasswordHash(id: number, passwordHash: string, on: Connection): Promise<void> {
    const changes: Partial<UserRow & { passwordHash: string }> = { passwordHash };
    await this.update(id, changes, undefined, on);
  }

  async hasAdmin(): Promise<boolean> {
    const text = `select 1 from users where role = 'admin' limit 1`;
    return (await this.database.query({ text, values: [] })).length > 0;
  }

  /**
   * The administrators, held until the end of the transaction: of those who would take two of them away at once, the
   * second sees what the first has done.
   */
  async lockAdmins(on: Connection): Promise<number[]> {
    const text = `select id from users where role = 'admin' order by id for update`;
    return (await on.query<{ id: number }>({ text, values: [] })).map(({ id }) => id);
  }

  /** @throws ApiError `EMAIL_ALREADY_EXISTS` */
  add(user: NewUser, on?: Connection): Promise<UserRow> {
    return this.insert(user, on);
  }
}
