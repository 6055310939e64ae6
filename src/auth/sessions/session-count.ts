import { Injectable } from '@nestjs/common';

import { LoginsRepository } from './logins.repository.js';

/** How old a count may be before it is made anew, in milliseconds. */
const FRESH_MS = 1_000;

/** The number of open sessions in the whole service. It is counted only while somebody asks for it. */
@Injectable()
export class SessionCount {
  private latest: number | undefined;
  private countedAt = -Infinity;
  private isCounting = false;

  constructor(private readonly logins: LoginsRepository) {}

  /** Returns the latest count and begins the next one; `undefined` if PostgreSQL has not answered, or not yet. */
  read(): number | undefined {
    if (!this.isCounting && performance.now() - this.countedAt > FRESH_MS) void this.count();
    return this.latest;
  }

  private async count(): Promise<void> {
    this.isCounting = true;
    this.latest = await this.logins.count().catch(() => undefined);
    this.countedAt = performance.now();
    this.isCounting = false;
  }
}
