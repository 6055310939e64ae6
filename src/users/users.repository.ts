import { Injectable } from '@nestjs/common';

import { Role } from '#src/access/permissions.js';
import { Database } from '#src/database/database.js';
import { ResourceRepository, ResourceRow } from '#src/database/resource-repository.js';

import { UserEntity } from './user.entity.js';
import { EMAIL_ALREADY_EXISTS, USER_NOT_FOUND } from './user.errors.js';

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
  readonly role: Role;
}

@Injectable()
export class UsersRepository extends ResourceRepository<UserRow> {
  constructor(database: Database) {
    super(database, UserEntity, {
      notFound: USER_NOT_FOUND,
      constraints: { users_email_key: EMAIL_ALREADY_EXISTS },
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

  async hasAdmin(): Promise<boolean> {
    const text = `select 1 from users where role = 'admin' limit 1`;
    return (await this.database.query({ text, values: [] })).length > 0;
  }

  /** @throws ApiError `EMAIL_ALREADY_EXISTS` */
  add(user: NewUser): Promise<UserRow> {
    return this.insert(user);
  }
}
