import { Injectable } from '@nestjs/common';

import { lockCaller } from '../../access/current-caller.js';
import { Principal } from '../../access/principal.js';
import { Database } from '../../database/database.js';
import { notify } from '../../database/notifications.js';
import { WriteConditions } from '../../http/caching/preconditions.js';
import { ApiError } from '../../http/errors/api-error.js';
import { ListQuery } from '../../lists/list-query.js';
import { Page } from '../../lists/list-representation.js';
import { LOGIN_ENDED, LoginRow, LoginsRepository } from './logins.repository.js';
import { LoginsService } from './logins.service.js';
import { SESSION_NOT_FOUND } from './session.errors.js';

/** A user's own logins; those of others are `SESSION_NOT_FOUND`. */
@Injectable()
export class SessionsService {
  constructor(
    private readonly logins: LoginsRepository,
    private readonly ending: LoginsService,
    private readonly database: Database,
  ) {}

  /** @param query of one user's logins */
  list(query: ListQuery): Promise<Page<LoginRow>> {
    return this.logins.list(query);
  }

  async get(id: number, caller: Principal): Promise<LoginRow> {
    return assertOwn(await this.logins.find(id), id, caller);
  }

  async remove(id: number, conditions: WriteConditions, caller: Principal): Promise<void> {
    const login = await this.logins.find(id);
    await this.ending.endingBy(id, () =>
      this.database.transaction(async (on) => {
        await lockCaller(caller, on);
        assertOwn(login, id, caller);
        await this.logins.remove(id, conditions, on);
        await notify(on, LOGIN_ENDED, String(id));
      }),
    );
  }
}

/** @throws ApiError `SESSION_NOT_FOUND` where there is no such login, it has expired, or it is another user's */
function assertOwn(login: LoginRow | null, id: number, { userId }: Principal): LoginRow {
  const isOver = login && Date.parse(login.expiresAt) < Date.now();
  if (login && login.userId === userId && !isOver) return login;
  throw new ApiError(SESSION_NOT_FOUND, `${SESSION_NOT_FOUND.summary} (id ${id})`);
}
