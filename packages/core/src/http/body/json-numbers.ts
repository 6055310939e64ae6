import { endOfString, QUOTE } from './json-scan.js';

type Holder = Readonly<Record<string, unknown>>;

/** Objects and arrays of bodies, by what they are with texts in place of numbers that may have been rounded. */
const quotedOf = new WeakMap<object, Holder>();

/** How a number of a body was written, where reading it as a double may have rounded it. */
export function writtenNumber(holder: object, key: string): string | undefined {
  const written = quotedOf.get(holder)?.[key];
  return typeof written === 'string' && typeof (holder as Holder)[key] === 'number' ? written : undefined;
}

/** A number of at most 15 characters without exponent is in a double as it was written. */
const MAY_BE_ROUNDED = /^-?[\d.]{16}|^-?[\d.]+e/i;

const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;

const NUMBER = /[\d.eE+-]+/y;

/** Remembers for `writtenNumber()` how the long numbers of a valid JSON text were written. */
export function rememberWritten(text: string, parsed: unknown): void {
  let quoted = '';
  let done = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (char === QUOTE) i = endOfString(text, i);
    if (char !== MINUS && (char < ZERO || char > NINE)) continue;
    NUMBER.lastIndex = i;
    const number = NUMBER.exec(text)?.[0] ?? '';
    if (MAY_BE_ROUNDED.test(number)) {
      quoted += `${text.slice(done, i)}"${number}"`;
      done = i + number.length;
    }
    i += number.length - 1;
  }
  if (done > 0) remember(parsed, JSON.parse(quoted + text.slice(done)));
}

function remember(parsed: unknown, quoted: unknown): void {
  if (typeof parsed !== 'object' || parsed === null) return;
  quotedOf.set(parsed, quoted as Holder);
  for (const key of Object.keys(parsed)) remember((parsed as Holder)[key], (quoted as Holder)[key]);
}

/** How many decimals a number of JSON has as it is written, zeros at its end aside: 1 of `1.50`, 5 of `15e-5`. */
export function decimalsOf(text: string): number {
  const [number = '', power = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = number.split('.');
  const digits = `${whole}${fraction}`;
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  const isZero = end === 0 || digits[end - 1] === '-';
  return isZero ? 0 : Math.max(0, end - whole.length - Number(power));
}
