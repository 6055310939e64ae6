/**
 * Joins equal questions: those that arrive while the same one is being answered wait for it to end, and are then
 * answered by one query for all of them. Nothing is stale: the query starts after each of them was asked. Nothing
 * is kept.
 */
export class JoinedQueries<Answer> {
  private readonly running = new Map<string, Promise<Answer>>();
  private readonly waiting = new Map<string, Promise<Answer>>();

  /**
   * @param key equal for equal questions
   * @param ask answers the question
   */
  ask(key: string, ask: () => Promise<Answer>): Promise<Answer> {
    const waiting = this.waiting.get(key);
    if (waiting) return waiting;
    const running = this.running.get(key);
    if (!running) return this.start(key, ask);
    const start = (): Promise<Answer> => {
      this.waiting.delete(key);
      return this.start(key, ask);
    };
    const next = running.then(start, start);
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
