/**
 * How soon a service must be ready after its fault is removed, without help: the pool opens a new connection for
 * the next query, and waits at most three seconds for one (`connectTimeoutMS`); Redis is tried again at least every
 * second. A service that needs longer waits for something else.
 */
export const READY_SECONDS = 3;
/** Time limits are those of an idle machine. An experiment fails if it exceeds one by more than this factor. */
const SLACK = 2;

/** One line of the table: the fault, its effects, and whether they are acceptable. */
export class Row {
  acknowledged = 0;
  lost = [];
  half = [];
  bad = [];
  cut = 0;
  /** The longest time in seconds until the service was ready again, or `undefined` if it was not measured. */
  ready;
  failures = [];
  /** Exceeded time limits, for which a busy machine may be the reason. */
  slow = [];
  notes = [];
  skipped;

  constructor(name, did) {
    this.name = name;
    this.did = did;
    this.times = 1;
  }

  /** @param detail what to report if the condition does not hold */
  check(holds, detail) {
    if (!holds) this.failures.push(detail);
  }

  note(text) {
    this.notes.push(text);
  }

  /** Compares a measured time with its limit on an idle machine. */
  within(seconds, idleBound, what) {
    const bound = idleBound * SLACK;
    if (seconds > bound) this.slow.push(`${what} after ${seconds.toFixed(1)} s, not within ${bound} s`);
  }

  /** Compares the time until a service is ready again with its limit. */
  readyAfter(seconds, bound = READY_SECONDS) {
    this.ready = Math.max(this.ready ?? 0, seconds);
    this.within(seconds, bound, 'ready again');
  }

  /** Adds the results of a load. @param mayCut whether the fault may cut connections of clients */
  takeLoad({ tally, acknowledged }, { mayCut = false } = {}) {
    this.acknowledged += acknowledged;
    this.bad.push(...tally.bad);
    this.failures.push(...tally.wrong);
    this.cut += tally.cut;
    this.note(tally.describe());
    if (mayCut)
      this.check(
        !tally.dropped.has('HUNG'),
        `${tally.dropped.get('HUNG')} requests got no response within 30 s`,
      );
    else this.check(tally.dropped.size === 0, `requests without a response: ${tally.describe()}`);
  }

  takeAudit({ lost, half }) {
    this.lost.push(...lost);
    this.half.push(...half);
  }

  /** Adds each unexpected end of a process of the service, and the errors that it logged. */
  takeService(service) {
    for (const death of service.deaths.splice(0))
      this.failures.push(`the process ended unexpectedly, ${death}`);
    for (const error of new Set(service.errors.splice(0))) this.note(error);
  }

  get isOnlySlow() {
    return this.slow.length > 0 && this.faults.length === this.slow.length;
  }

  /** The failed checks, as lines of the report. */
  get faults() {
    return [
      ...some('lost', this.lost),
      ...some('stored in part', this.half),
      ...some('bad response', this.bad),
      ...some('', this.failures),
      ...this.slow,
    ];
  }
}

const SHOWN = 5;

function some(label, list) {
  const different = [...new Set(list)];
  const lines = different.slice(0, SHOWN).map((text) => (label ? `${label}: ${text}` : text));
  return different.length > SHOWN
    ? [...lines, `… and ${different.length - SHOWN} more${label && ` (${label})`}`]
    : lines;
}
