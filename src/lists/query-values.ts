import { countCharacters } from '../fields/characters.js';
import { FaultCode } from '../fields/faults.js';
import { isWellFormedText } from '../fields/rules.js';
import { MAX_ID } from '../fields/kinds.js';

/** Why the text of a query parameter is no value of it. */
export class ValueFault {
  constructor(
    readonly code: FaultCode,
    /** What the parameter takes. */
    readonly takes: string,
  ) {}
}

/** Longer numbers mean nothing more, and would come back in every link of a page. */
const MAX_DIGITS = 500;
const tooLong = new ValueFault('WRONG_TYPE', `at most ${MAX_DIGITS} digits`);

/** Reads the text of a query parameter strictly: no blanks, no exponents, no other spellings. */
export type ValueReader<T> = (text: string) => T | ValueFault;

export const text =
  (max: number): ValueReader<string> =>
  (value) => {
    if (!isWellFormedText(value)) return new ValueFault('BAD_CHARACTER', 'text without NUL');
    return countCharacters(value) > max ? new ValueFault('TOO_LONG', `at most ${max} characters`) : value;
  };

export const flag: ValueReader<boolean> = (value) => {
  if (value === 'true') return true;
  return value === 'false' ? false : new ValueFault('WRONG_TYPE', 'true or false');
};

export const integer =
  (min: number, max: number): ValueReader<number> =>
  (value) => {
    if (!/^-?\d+$/.test(value)) return new ValueFault('WRONG_TYPE', 'an integer');
    if (value.length > MAX_DIGITS) return tooLong;
    const number = Number(value);
    if (number < min) return new ValueFault('TOO_SMALL', `at least ${min}`);
    return number > max ? new ValueFault('TOO_LARGE', `at most ${max}`) : number;
  };

/** An id. One that no resource can have is still an id: nothing has it. */
export const id: ValueReader<number> = (value) => {
  if (!/^\d+$/.test(value)) return new ValueFault('WRONG_TYPE', 'a positive integer');
  if (value.length > MAX_DIGITS) return tooLong;
  const number = Number(value);
  return number <= MAX_ID ? number : 0;
};

/** An amount, kept as text: it is compared in decimal. */
export const amount: ValueReader<string> = (value) => {
  if (!/^-?\d{1,30}(\.\d{1,30})?$/.test(value)) return new ValueFault('WRONG_TYPE', 'a number');
  return value.startsWith('-') && /[1-9]/.test(value) ? new ValueFault('TOO_SMALL', 'at least 0') : value;
};

export const choice =
  (choices: readonly string[]): ValueReader<string> =>
  (value) =>
    choices.includes(value) ? value : new ValueFault('NOT_ALLOWED', `one of ${choices.join(', ')}`);
