const MAX_DEPTH = 20;

/** Most values in a body: itself, and every member of an object and item of an array in it, at any depth. */
export const MAX_JSON_VALUES = 20_000;

/** Which bound JSON text exceeds, as the second half of a sentence, before anything is built of it; `undefined`: none. */
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
    else if (isJustOpened && ++depth > MAX_DEPTH) return `is nested deeper than ${MAX_DEPTH} levels`;
    if (values > MAX_JSON_VALUES) return `has more than ${MAX_JSON_VALUES} values`;
  }
  return undefined;
}

/** The end of the string that starts at `start`: the index of its closing quote, or the end of the text. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text[end - 1 - backslashes] === '\\') backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}

type JsonContainer = Readonly<Record<string, unknown>>;

/** Objects and arrays of bodies, by what they are with texts in place of numbers that may have been rounded. */
const numberSources = new WeakMap<object, JsonContainer>();

/** How a number of a body was written, where reading it as a double may have rounded it. */
export function sourceOfNumber(holder: object, key: string): string | undefined {
  const written = numberSources.get(holder)?.[key];
  return typeof written === 'string' && typeof (holder as JsonContainer)[key] === 'number'
    ? written
    : undefined;
}

/** A number of at most 15 characters without exponent is in a double as it was written. */
const MAY_BE_ROUNDED = /^-?[\d.]{16}|^-?[\d.]+e/i;

/** A string or a number of valid JSON: what is in a string is no number. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.e+-]*/gi;

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

/** How many decimals a number of JSON has as it is written, zeros at its end aside: 1 of `1.50`, 5 of `15e-5`. */
export function countDecimals(text: string): number {
  const [number = '', power = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = number.split('.');
  const digits = `${whole}${fraction}`;
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  const isZero = end === 0 || digits[end - 1] === '-';
  return isZero ? 0 : Math.max(0, end - whole.length - Number(power));
}
