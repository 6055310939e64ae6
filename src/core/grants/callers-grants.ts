import { Injectable } from '@nestjs/common';

import { Grant, Grants, NO_GRANTS } from '../access/grants.js';
import { Principal } from '../access/principal.js';
import { BatchLoader } from '../database/batch-loader.js';
import { GrantsRepository } from './grants.repository.js';

/** How long an answer to whether there are any grants holds. */
const HOLDS_MS = 1_000;

/** The grants of callers, looked up for each request. While there are none at all, nothing is looked up. */
@Injectable()
export class CallersGrants {
  /** By the id of a user, or the negative id of an API key. */
  private readonly byGrantee = new BatchLoader<number, Grant[]>((ids) => this.grants.findOf(ids));
  private existence: Promise<boolean> | undefined;
  private readAt = 0;

  constructor(private readonly grants: GrantsRepository) {}

  /** The grants that bear on a caller: on an API key its own and its owner's. */
  async of({ userId, keyId }: Principal): Promise<Grants> {
    if (userId === null || !(await this.isAny())) return NO_GRANTS;
    const ids = keyId === null ? [userId] : [userId, -keyId];
    const found = await Promise.all(ids.map((id) => this.byGrantee.load(id)));
    return new Grants(found.flatMap((grants) => grants ?? []));
  }

  /** Has the next request look again whether there are any. */
  forget(): void {
    this.existence = undefined;
  }

  private isAny(): Promise<boolean> {
    const now = performance.now();
    if (!this.existence || now - this.readAt > HOLDS_MS) {
      this.readAt = now;
      const reading = this.grants.isAny();
      this.existence = reading;
      reading.catch(() => {
        if (this.existence === reading) this.existence = undefined;
      });
    }
    return this.existence;
  }
}
