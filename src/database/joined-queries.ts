import { currentWaiter, EndOfWait, Waiter, waitingForAll } from '../telemetry/waits.js';

/** Those who asked while the same question was being answered. */
interface Next<Answer> {
  readonly answer: Promise<Answer>;
  readonly waiters: { readonly waiter: Waiter; readonly end: EndOfWait }[];
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
    const waiter = currentWaiter();
    if (waiter) next.waiters.push({ waiter, end: waiter.begin('queue') });
    return next.answer;
  }

  private after(running: Promise<Answer>, key: string, ask: () => Promise<Answer>): Next<Answer> {
    const waiters: Next<Answer>['waiters'] = [];
    const start = (): Promise<Answer> => {
      this.waiting.delete(key);
      for (const { end } of waiters) end();
      const all = waiters.map(({ waiter }) => waiter);
      return waitingForAll(all, () => this.start(key, ask));
    };
    const next = { answer: running.then(start, start), waiters };
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
