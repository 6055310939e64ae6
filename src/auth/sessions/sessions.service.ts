import { Injectable } from '@nestjs/common';

import { Principal } from '../../access/principal.js';
import { WriteConditions } from '../../http/caching/preconditions.js';
import { ApiError } from '../../http/errors/api-error.js';
import { ListQuery } from '../../lists/list-query.js';
import { Page } from '../../lists/list-representation.js';
import { LoginRow, LoginsRepository } from './logins.repository.js';
import { SessionStore } from './session-store.js';
import { SESSION_NOT_FOUND } from './session.errors.js';

/** A user's own logins. Those of others are not there: `SESSION_NOT_FOUND`. */
@Injectable()
export class SessionsService {
  constructor(
    private readonly logins: LoginsRepository,
    private readonly sessions: SessionStore,
  ) {}

  /** @param query of one user's logins */
  list(query: ListQuery): Promise<Page<LoginRow>> {
    const now = new Date().toISOString();
    const living: ListQuery = {
      ...query,
      key: `since ${now}/${query.key}`,
      conditions: [...query.conditions, { property: 'expiresAt', operator: '>=', value: now }],
    };
    return this.logins.list(living);
  }

  async get(id: number, caller: Principal): Promise<LoginRow> {
    const login = await this.logins.get(id);
    const isOver = Date.parse(login.expiresAt) < Date.now();
    if (login.userId !== caller.userId || isOver) {
      throw new ApiError(SESSION_NOT_FOUND, `${SESSION_NOT_FOUND.summary} (id ${id})`);
    }
    return login;
  }

  async remove(id: number, conditions: WriteConditions, caller: Principal): Promise<void> {
    const { userId } = await this.get(id, caller);
    await this.logins.remove(id, conditions);
    await this.sessions.remove({ loginId: id, userId });
  }
}
