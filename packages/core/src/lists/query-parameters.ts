import { FaultCode } from '../fields/faults.js';
import { ErrorDetail } from '../http/errors/api-error.js';
import { truncateText } from '../http/errors/truncate-text.js';
import { MAX_FILTER_VALUES, ValueFault, ValueReader } from './filters.js';

/** The parameters of one query string. Collects all faults, so that a client learns of them at once. */
export class QueryParameters {
  /** @param faults those that are already known, of the names of parameters */
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

  /** The text of a parameter, the last one if it is repeated. */
  text(name: string): string | undefined {
    return this.values.get(name)?.at(-1);
  }

  /** The value of a parameter, the last one if it is repeated; `undefined` if it is missing or faulty. */
  read<T>(name: string, read: ValueReader<T>): T | undefined {
    return this.readValues(name, read, this.values.get(name)?.slice(-1))[0];
  }

  /** Every value of a parameter that may be repeated, without those that are faulty. */
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
