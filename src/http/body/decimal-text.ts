/** What the text of a number stands for, without its sign: `0.<digits> * 10^exponent`. */
interface Decimal {
  /** Without zeros at either end; empty for zero. */
  readonly digits: string;
  readonly exponent: number;
}

/** @param text a number as JSON writes it (RFC 8259 §6) */
function decimalOf(text: string): Decimal {
  const [mantissa = '', power = '0'] = text.replace(/^-/, '').toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const all = whole + fraction;
  let start = 0;
  while (all[start] === '0') start++;
  let end = all.length;
  while (end > start && all[end - 1] === '0') end--;
  if (start === end) return { digits: '', exponent: -Infinity };
  return { digits: all.slice(start, end), exponent: whole.length - start + Number(power) };
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
