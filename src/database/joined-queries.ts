import { SharedTurn } from '../telemetry/waits.js';

/** Those who asked while the same question was being answered. */
interface Next<Answer> {
  readonly answer: Promise<Answer>;
  readonly turn: SharedTurn;
}

/**
 * Joins equal questions: those that arrive while the same one is being answered wait for it to end, and are then
 * answered by one query for all of them. Nothing is stale: the query starts after each of them was asked. Nothing
 * is kept.
 */
export class JoinedQueries<Answer> {
  private readonly running = new Map<string, Promise<Answer>>();
  private readonly waiting = new Map<string, Next<Answer>>();

  /**
   * @param key equal for equal questions
   * @param ask answers the question
   */
  ask(key: string, ask: () => Promise<Answer>): Promise<Answer> {
    const running = this.running.get(key);
    if (!running && !this.waiting.has(key)) return this.start(key, ask);
    const next = this.waiting.get(key) ?? this.after(running as Promise<Answer>, key, ask);
    next.turn.join();
    return next.answer;
  }

  private after(running: Promise<Answer>, key: string, ask: () => Promise<Answer>): Next<Answer> {
    const turn = new SharedTurn();
    const start = (): Promise<Answer> => {
      this.waiting.delete(key);
      return turn.run(() => this.start(key, ask));
    };
    const next = { answer: running.then(start, start), turn };
    this.waiting.set(key, next);
    return next;
  }

  private start(key: string, ask: () => Promise<Answer>): Promise<Answer> {
    const answer = ask().finally(() => {
      if (this.running.get(key) === answer) this.running.delete(key);
    });
    this.running.set(key, answer);
    return answer;
  }
}
