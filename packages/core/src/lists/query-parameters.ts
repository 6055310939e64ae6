import { FaultCode } from '../fields/faults.js';
import { ErrorDetail } from '../http/errors/api-error.js';
import { truncateText } from '../http/errors/truncate-text.js';
import { MAX_FILTER_VALUES, ValueFault, ValueReader } from './filters.js';

/** The parameters of a query string. Collects all faults, so that one response reports them all. */
export class QueryParameters {
  /** @param faults the faults in the names of parameters, which have already been found */
  constructor(
    private readonly values: ReadonlyMap<string, readonly string[]>,
    readonly faults: ErrorDetail[],
  ) {}

  addFault(field: string, code: FaultCode, message: string): void {
    this.faults.push({ field, code, message });
  }

  has(name: string): boolean {
    return this.values.has(name);
  }

  /** Returns the text of a parameter. If the parameter is repeated, returns its last text. */
  text(name: string): string | undefined {
    return this.values.get(name)?.at(-1);
  }

  /**
   * Returns the value of a parameter, or `undefined` if the parameter is missing or faulty. If it is repeated, returns
   * its last value.
   */
  read<T>(name: string, read: ValueReader<T>): T | undefined {
    return this.readValues(name, read, this.values.get(name)?.slice(-1))[0];
  }

  /** Returns all values of a parameter that may be repeated, except faulty values. */
  readAll<T>(name: string, read: ValueReader<T>): T[] {
    return this.readValues(name, read, this.values.get(name));
  }

  private readValues<T>(name: string, read: ValueReader<T>, texts: readonly string[] = []): T[] {
    if (texts.length > MAX_FILTER_VALUES)
      this.addFault(
        name,
        'TOO_MANY',
        `must be repeated at most ${MAX_FILTER_VALUES} times (got ${texts.length})`,
      );
    const values: T[] = [];
    for (const text of texts.slice(0, MAX_FILTER_VALUES)) {
      const value = read(text);
      if (value instanceof ValueFault) {
        const got = JSON.stringify(truncateText(text, 60));
        this.addFault(name, value.code, `${value.requirement} (got ${got})`);
      } else values.push(value);
    }
    return values;
  }
}
