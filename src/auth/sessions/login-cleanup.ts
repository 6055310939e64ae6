import { Injectable, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';

import { LoginsRepository } from './logins.repository.js';
import { SessionStore } from './session-store.js';

const EVERY_MS = 60_000;

/** Removes expired sessions and logins. Any number of instances may do so at once. */
@Injectable()
export class LoginCleanup implements OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly sessions: SessionStore,
    private readonly logins: LoginsRepository,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      // A run that fails is made up for by the next one.
      void this.run().catch(() => undefined);
    }, EVERY_MS).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  async run(): Promise<void> {
    await this.sessions.removeExpired();
    await this.logins.removeExpired();
  }
}
