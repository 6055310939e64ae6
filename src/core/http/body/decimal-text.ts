/** The value of the text of a number, without its sign: `0.<digits> * 10^exponent`. */
interface Decimal {
  /** Without zeros at either end; empty for zero. */
  readonly digits: string;
  readonly exponent: number;
}

const ZERO = 0x30;
const NINE = 0x39;
const POINT = 0x2e;

/** @param text a number as JSON writes it (RFC 8259 §6) */
function decimalOf(text: string): Decimal {
  // By character codes, without cutting the text up: a body may have thousands of numbers.
  let first = -1;
  let last = -1;
  let point = -1;
  let end = text.startsWith('-') ? 1 : 0;
  for (; end < text.length; end++) {
    const char = text.charCodeAt(end);
    if (char === POINT) point = end;
    else if (char < ZERO || char > NINE) break;
    else if (char !== ZERO) {
      last = end;
      if (first < 0) first = end;
    }
  }
  if (first < 0) return { digits: '', exponent: -Infinity };
  const whole = point < 0 ? end : point;
  const power = end < text.length ? Number(text.slice(end + 1)) : 0;
  const digits = text.slice(first, last + 1);
  const isAcross = first < point && point < last;
  return {
    digits: isAcross ? digits.replace('.', '') : digits,
    exponent: whole - first + (first > whole ? 1 : 0) + power,
  };
}

/** How many decimals a number has as it is written, zeros at its end aside: 1 of `1.50`, 5 of `15e-5`. */
export function decimalsOf(text: string): number {
  const { digits, exponent } = decimalOf(text);
  return digits === '' ? 0 : Math.max(0, digits.length - exponent);
}

/**
 * Compares the absolute values of two numbers as they are written, exactly: negative where the first is smaller, 0
 * where they are equal.
 */
export function compareDecimals(one: string, other: string): number {
  const [a, b] = [decimalOf(one), decimalOf(other)];
  if (a.exponent !== b.exponent) return a.exponent < b.exponent ? -1 : 1;
  // Without zeros at their ends, digits compare as text does.
  if (a.digits === b.digits) return 0;
  return a.digits < b.digits ? -1 : 1;
}
