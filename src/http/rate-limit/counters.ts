/** More than any service has, unless a function of a limit makes up lengths of windows. */
const MAX_COUNTERS = 1_000;

/**
 * Counters by name and length of window, each made when it is first asked for; past a thousand the oldest is forgotten.
 */
export class Counters<Counter> {
  private readonly byId = new Map<string, Counter>();

  constructor(private readonly make: (name: string, windowMs: number) => Counter) {}

  of(name: string, windowMs: number): Counter {
    const id = `${name} ${windowMs}`;
    return this.byId.get(id) ?? this.add(id, this.make(name, windowMs));
  }

  [Symbol.iterator](): IterableIterator<Counter> {
    return this.byId.values();
  }

  private add(id: string, counter: Counter): Counter {
    const [oldest] = this.byId.keys();
    if (this.byId.size >= MAX_COUNTERS && oldest !== undefined) this.byId.delete(oldest);
    this.byId.set(id, counter);
    return counter;
  }
}
