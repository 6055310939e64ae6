import { Injectable } from '@nestjs/common';

import { ApiError, Caller, Database, ListQuery, Page, Preconditions } from '../../core/index.js';
import { lockCaller } from '../../core/auth.js';
import { SESSION_NOT_FOUND } from '../auth.errors.js';
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
    return listedFor(caller, unexpired(login));
  }

  async remove(id: number, caller: Caller, preconditions: Preconditions): Promise<void> {
    const { principal, userId, visibility } = caller;
    await this.database.transaction(async (tx) => {
      await lockCaller(principal, tx);
      unexpired(await this.logins.lock({ id, userId }, visibility, tx));
      await this.logins.remove(id, visibility, preconditions, tx);
    });
  }
}

const listedFor = ({ principal }: Caller, login: Login): ListedLogin => ({
  ...login,
  current: login.id === principal.loginId,
});

/** @throws ApiError `SESSION_NOT_FOUND` where the login has expired, and waits to be removed */
function unexpired(login: Login): Login {
  if (Date.parse(login.expiresAt) <= Date.now()) throw new ApiError(SESSION_NOT_FOUND);
  return login;
}
