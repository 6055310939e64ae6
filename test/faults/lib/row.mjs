/**
 * How soon a service is ready after its fault is lifted. It finds out by itself: the pool opens a new connection for
 * the next query, and waits at most three seconds for one (`connectTimeoutMS`); Redis is tried again at least every
 * second. Whoever needs longer waits for somebody.
 */
export const READY_SECONDS = 3;
/** Bounds are those of an idle machine; those that are broken by more than this fail. */
const SLACK = 2;

/** One line of the table: what was done, what came of it, and whether that is as it has to be. */
export class Row {
  acknowledged = 0;
  lost = [];
  half = [];
  bad = [];
  cut = 0;
  /** Seconds until ready again, the longest of them; `undefined`: not measured. */
  ready;
  failures = [];
  /** Bounds of time that were broken: a busy machine may be why. */
  slow = [];
  notes = [];
  skipped;

  constructor(name, did) {
    this.name = name;
    this.did = did;
    this.times = 1;
  }

  /** @param detail what was found where it does not hold */
  check(holds, detail) {
    if (!holds) this.failures.push(detail);
  }

  note(text) {
    this.notes.push(text);
  }

  /** Holds a measured time against its bound on an idle machine. */
  within(seconds, idleBound, what) {
    const bound = idleBound * SLACK;
    if (seconds > bound) this.slow.push(`${what} after ${seconds.toFixed(1)} s, not within ${bound} s`);
  }

  /** Holds the time until a service is ready again against the bar. */
  readyAfter(seconds, bound = READY_SECONDS) {
    this.ready = Math.max(this.ready ?? 0, seconds);
    this.within(seconds, bound, 'ready again');
  }

  /** Takes what a load has seen. @param mayCut the fault is one that ends connections of clients */
  takeLoad({ tally, acknowledged }, { mayCut = false } = {}) {
    this.acknowledged += acknowledged;
    this.bad.push(...tally.bad);
    this.failures.push(...tally.wrong);
    this.cut += tally.cut;
    this.note(tally.describe());
    if (mayCut)
      this.check(!tally.dropped.has('HUNG'), `${tally.dropped.get('HUNG')} requests got no answer in 30 s`);
    else this.check(tally.dropped.size === 0, `requests without an answer: ${tally.describe()}`);
  }

  takeAudit({ lost, half }) {
    this.lost.push(...lost);
    this.half.push(...half);
  }

  /** Takes each death of a service's process that nobody asked for, and what it logged. */
  takeService(service) {
    for (const death of service.deaths.splice(0)) this.failures.push(`the process ended by itself, ${death}`);
    for (const error of new Set(service.errors.splice(0))) this.note(error);
  }

  get isOnlySlow() {
    return this.slow.length > 0 && this.faults.length === this.slow.length;
  }

  /** What breaks a bar. */
  get faults() {
    return [
      ...some('lost', this.lost),
      ...some('half there', this.half),
      ...some('bad answer', this.bad),
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
