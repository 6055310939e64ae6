import { flawOf } from './http.mjs';

/** What came back: counted, and judged where no answer may ever be as it is. */
export class Tally {
  statuses = new Map();
  /** Answers of 500, or without the envelope. */
  bad = [];
  /** Answers that were well formed, and wrong. */
  wrong = [];
  /** Requests without an answer, by reason. */
  dropped = new Map();
  answers = 0;

  answer(request, answer) {
    this.answers++;
    this.statuses.set(answer.status, (this.statuses.get(answer.status) ?? 0) + 1);
    const flaw = flawOf(answer);
    if (flaw) this.bad.push(`${request} ${flaw}`);
  }

  drop({ reason }) {
    this.dropped.set(reason, (this.dropped.get(reason) ?? 0) + 1);
  }

  /** Requests that were sent and not answered; those that nobody listened to are not among them. */
  get cut() {
    let sum = 0;
    for (const [reason, count] of this.dropped) if (reason !== 'ECONNREFUSED') sum += count;
    return sum;
  }

  get refused() {
    return this.dropped.get('ECONNREFUSED') ?? 0;
  }

  describe() {
    const parts = [...this.statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}×${count}`);
    return [...parts, ...[...this.dropped].map(([reason, count]) => `${reason}×${count}`)].join(' ');
  }
}
