import { Injectable } from '@nestjs/common';

import { Caller, Database, ListQuery, Page, Preconditions } from '../../core/index.js';
import { lockCaller } from '../../core/auth.js';
import { Login } from './login.entity.js';
import { LoginsRepository } from './logins.repository.js';

export interface ListedLogin extends Login {
  readonly current: boolean;
}

/** A user's own logins, as long as they last. */
@Injectable()
export class SessionsService {
  constructor(
    private readonly logins: LoginsRepository,
    private readonly database: Database,
  ) {}

  async list(query: ListQuery, caller: Caller): Promise<Page<ListedLogin>> {
    const page = await this.logins.list(query);
    return { ...page, rows: page.rows.map((login) => listedFor(caller, login)) };
  }

  async get(id: number, caller: Caller): Promise<ListedLogin> {
    const login = await this.logins.get({ id, userId: caller.userId }, caller.visibility);
    await this.logins.assertUnexpired(id);
    return listedFor(caller, login);
  }

  async remove(id: number, caller: Caller, preconditions: Preconditions): Promise<void> {
    const { principal, userId, visibility } = caller;
    await this.database.transaction(async (tx) => {
      await lockCaller(principal, tx);
      await this.logins.lock({ id, userId }, visibility, tx);
      await this.logins.assertUnexpired(id, tx);
      await this.logins.remove(id, visibility, preconditions, tx);
    });
  }
}

const listedFor = ({ principal }: Caller, login: Login): ListedLogin => ({
  ...login,
  current: login.id === principal.loginId,
});
