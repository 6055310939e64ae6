import { Injectable, Logger } from '@nestjs/common';

import { runWithoutCaller } from '../database/caller-shares.js';
import { databaseErrorCode } from '../database/database-error.js';
import { DatabaseSchema } from '../database/database-schema.js';
import { ReadinessFault } from '../database/readiness-fault.js';
import { Lifecycle } from './availability.js';

const STOPPING: readonly ReadinessFault[] = [{ reason: 'shutdown', text: 'it is shutting down' }];

/** Knows whether the process can serve requests, and logs why not: once, until the reason changes. */
@Injectable()
export class Readiness {
  private readonly logger = new Logger('Readiness');
  private running: Promise<readonly ReadinessFault[]> | undefined;
  private found: readonly ReadinessFault[] = [];
  /** How many migrations were missing when the database last answered. */
  missingMigrations = 0;

  constructor(
    private readonly schema: DatabaseSchema,
    private readonly lifecycle: Lifecycle,
  ) {}

  /** The result of the last check that has ended. The array is empty if the process can serve requests. */
  get faults(): readonly ReadinessFault[] {
    return this.lifecycle.isStopping ? STOPPING : this.found;
  }

  /**
   * Checks whether the process can serve requests. Checks at the same time share one query, so that those of several
   * balancers do not occupy the pool while the database is frozen.
   * @returns the faults. The array is empty if the process can serve requests
   */
  async check(): Promise<readonly ReadinessFault[]> {
    if (!this.lifecycle.isStopping) await (this.running ??= this.run());
    return this.faults;
  }

  private async run(): Promise<readonly ReadinessFault[]> {
    // Do not count the connection against the share of the caller. Several load balancers may have the same address,
    // and must not wait for each other.
    let faults: readonly ReadinessFault[] = await runWithoutCaller(() => this.schema.readinessFaults());
    this.running = undefined;
    // While the database does not answer, the connections of the pool are in use because they wait for it.
    if (hasReason(faults, 'database_busy') && hasReason(this.found, 'database_unreachable'))
      faults = this.found;
    const migrations = faults.filter(({ reason }) => reason === 'migrations').length;
    // Otherwise the database did not answer, and the number is unknown.
    if (migrations === faults.length) this.missingMigrations = migrations;
    if (!this.lifecycle.isStopping) this.logChange(faults);
    return (this.found = faults);
  }

  private logChange(faults: readonly ReadinessFault[]): void {
    if (reasonsOf(faults) === reasonsOf(this.found)) return;
    if (faults.length === 0) this.logger.log('Ready again.');
    else {
      const codes = faults.flatMap(({ cause }) => databaseErrorCode(cause) ?? []);
      const text = [notReady(faults), ...codes.map((code) => `The code is ${code}.`)].join(' ');
      this.logger.warn(text, ...faults.flatMap(({ cause }) => cause ?? []));
    }
  }
}

const hasReason = (faults: readonly ReadinessFault[], wanted: ReadinessFault['reason']): boolean =>
  faults.some(({ reason }) => reason === wanted);

const reasonsOf = (faults: readonly ReadinessFault[]): string =>
  [...new Set(faults.map(({ text, reason }) => (reason === 'migrations' ? reason : text)))].join();

/** The sentence for the log and for the response. */
export const notReady = (faults: readonly ReadinessFault[]): string =>
  `Not ready: ${faults.map(({ text }) => text).join('; ')}.`;
