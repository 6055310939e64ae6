const MAX_DEPTH = 20;

/**
 * The maximum number of values in a body. The body itself counts as one value, and so does each member of an object and
 * each item of an array, at any depth.
 */
export const MAX_JSON_VALUES = 20_000;

/**
 * Returns a clause such as `must have at most 20000 values` for the limit that a JSON text exceeds, or `undefined` if
 * the text is within all limits. Scans the text without parsing it.
 */
export function findLimitViolation(text: string): string | undefined {
  let depth = 0;
  let values = 1;
  let isJustOpened = false;
  for (let i = 0; i < text.length; i++) {
    const char = text[i] as string;
    if (char <= ' ') continue;
    const isClosing = char === '}' || char === ']';
    if (isJustOpened && !isClosing) values++;
    isJustOpened = char === '{' || char === '[';
    if (char === '"') i = endOfString(text, i);
    else if (char === ',') values++;
    else if (isClosing) depth--;
    else if (isJustOpened && ++depth > MAX_DEPTH) return `must not be nested deeper than ${MAX_DEPTH} levels`;
    if (values > MAX_JSON_VALUES) return `must have at most ${MAX_JSON_VALUES} values`;
  }
  return undefined;
}

/** Returns the index of the quote that closes the string at `start`, or the length of the text if there is no quote. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text[end - 1 - backslashes] === '\\') backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}

type JsonContainer = Readonly<Record<string, unknown>>;

/**
 * Maps each object and array of a body to a copy of it. In the copy, numbers that parsing may have rounded are replaced
 * by their text.
 */
const numberSources = new WeakMap<object, JsonContainer>();

/**
 * Returns the text of a number in a body if parsing may have rounded the number, otherwise `undefined`.
 * @param holder the object or array that contains the number
 */
export function sourceOfNumber(holder: object, key: string): string | undefined {
  const written = numberSources.get(holder)?.[key];
  return typeof written === 'string' && typeof (holder as JsonContainer)[key] === 'number'
    ? written
    : undefined;
}

/**
 * Matches a number that a double may round: one of at least 16 characters without the sign, or one with an exponent. A
 * double keeps all decimal digits of a shorter number.
 */
const MAY_BE_ROUNDED = /^-?[\d.]{16}|^-?[\d.]+e/i;

/** Matches a string or a number of valid JSON. Strings are matched only to skip the digits in them. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.e+-]*/gi;

/**
 * Stores the text of numbers that parsing may have rounded, for `sourceOfNumber()`.
 * @param parsed the value of the text
 */
export function rememberNumberSources(text: string, parsed: unknown): void {
  const isRounded = (token: string): boolean => !token.startsWith('"') && MAY_BE_ROUNDED.test(token);
  const quoted = text.replaceAll(TOKEN, (token) => (isRounded(token) ? `"${token}"` : token));
  if (quoted !== text) storeNumberSources(parsed, JSON.parse(quoted));
}

function storeNumberSources(parsed: unknown, quoted: unknown): void {
  if (typeof parsed !== 'object' || parsed === null) return;
  numberSources.set(parsed, quoted as JsonContainer);
  for (const key of Object.keys(parsed))
    storeNumberSources((parsed as JsonContainer)[key], (quoted as JsonContainer)[key]);
}

/**
 * Counts the decimals of a JSON number, ignoring trailing zeros.
 * @example countDecimals('1.50') // 1
 */
export function countDecimals(text: string): number {
  const [number = '', power = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = number.split('.');
  const digits = `${whole}${fraction}`;
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  const isZero = end === 0 || digits[end - 1] === '-';
  return isZero ? 0 : Math.max(0, end - whole.length - Number(power));
}
