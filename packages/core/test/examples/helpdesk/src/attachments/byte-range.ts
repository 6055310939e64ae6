import { parse, Range } from 'range-parser';

/**
 * Reads `Range` (RFC 9110 §14.2).
 * @returns the first and the last byte, `null` if the file has none of the bytes, or `undefined` if the whole file is to
 * be sent, because the header is missing, malformed or names several ranges
 */
export function readRange(header = '', size: number): Range | null | undefined {
  const { code, type, ranges } = parse(size, header);
  const isMalformed = (code & 1) !== 0;
  if (isMalformed || type !== 'bytes' || ranges.length > 1) return undefined;
  // The last bytes of an empty file are the whole file. Any other range without bytes is an error.
  return ranges[0] ?? (code === 0 ? undefined : null);
}
