import { Injectable, Logger, OnApplicationBootstrap } from '@nestjs/common';

import { Config } from '../config/config.js';
import { Database } from './database.js';

/** The time-outs of a session, in milliseconds; 0: none. */
interface Bounds {
  readonly statement: number;
  readonly idle: number;
}

const BOUNDS = `
  select max(setting::int) filter (where name = 'statement_timeout') as statement,
    max(setting::int) filter (where name = 'idle_in_transaction_session_timeout') as idle
  from pg_settings`;

/**
 * Warns if `DATABASE_STATEMENT_TIMEOUT_MS` does not hold: behind a pooler in transaction mode a session has the
 * settings of its role, not those of a connection.
 */
@Injectable()
export class PooledSessions implements OnApplicationBootstrap {
  private readonly logger = new Logger('Pooler');

  constructor(
    private readonly config: Config,
    private readonly database: Database,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.database.pooler === 'none') return;
    // Health reports a database that does not answer.
    void this.check().catch(() => undefined);
  }

  private async check(): Promise<void> {
    const { statementTimeoutMs } = this.config.database;
    const [bounds] = await this.database.query<Bounds>({ text: BOUNDS, values: [] });
    const isBounded = (ms = 0): boolean => ms > 0 && ms <= statementTimeoutMs;
    if (!isBounded(bounds?.statement))
      this.logger.warn(
        `Statements are not bounded by the server: alter role … set statement_timeout = ${statementTimeoutMs}`,
      );
    if (!bounds?.idle)
      this.logger.warn(
        "Transactions of a process that hangs stay open: alter role … set idle_in_transaction_session_timeout = '10s'",
      );
  }
}
