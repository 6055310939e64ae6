import { Logger } from '@nestjs/common';

import { newCallNumbers } from '../telemetry/call-numbers.js';
import { Labelled } from '../telemetry/labelled.js';
import { currentWaiter } from '../telemetry/waits.js';
import { codeOf } from './database-error.js';
import { statementLabel } from './statement-label.js';

/** The text of a statement, and its name if it is a prepared one: no values. */
export interface StatementText {
  readonly text: string;
  readonly name?: string;
}

/** To be called once, when a statement has been answered or has failed. */
export type EndOfStatement = (error?: unknown) => void;

/** Is told of every statement that goes to PostgreSQL, TypeORM's too. */
export interface StatementObserver {
  begin(statement: StatementText): EndOfStatement;
}

/** How long statements take: in the log where one is slow, and in numbers where metrics are collected. */
export class StatementTimes implements StatementObserver {
  readonly byLabel = new Labelled(newCallNumbers);
  private readonly logger = new Logger('Statements');

  /**
   * @param slowMs from how many milliseconds on a statement has a line in the log
   * @param isCounted whether numbers are kept
   */
  constructor(
    private readonly slowMs: number,
    private readonly isCounted: boolean,
  ) {}

  begin(statement: StatementText): EndOfStatement {
    const startedAt = performance.now();
    const endWait = currentWaiter()?.begin('database', statementLabel(statement));
    return (error) => {
      endWait?.(error);
      const ms = performance.now() - startedAt;
      if (this.isCounted) this.count(statement, ms, error);
      if (ms >= this.slowMs) this.note(statement, ms, error);
    };
  }

  private count(statement: StatementText, ms: number, error: unknown): void {
    const numbers = this.byLabel.of(statementLabel(statement));
    numbers.seconds.observe(ms / 1000);
    if (error !== undefined && error !== null) numbers.failures++;
  }

  /** Names the statement, never its values. */
  private note(statement: StatementText, ms: number, error: unknown): void {
    this.logger.warn('slow statement', {
      statement: statementLabel(statement),
      prepared: statement.name ?? null,
      ms: Math.round(ms),
      code: codeOf(error) ?? null,
    });
  }
}
