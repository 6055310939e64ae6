/** The first and the last byte of a part of a file. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Reads `Range` (RFC 9110 §14.2).
 * @returns `null` if the file has none of the bytes, or `undefined` if the whole file is to be sent, because the header is
 * missing, malformed or names several ranges
 */
export function readRange(header: string | undefined, size: number): ByteRange | null | undefined {
  const [, first, last] = /^bytes=(?=.*\d)(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (first === undefined || last === undefined) return undefined;
  if (first === '') return toRange(size - Number(last), size - 1);
  if (last !== '' && Number(last) < Number(first)) return undefined;
  return toRange(Number(first), last === '' ? size - 1 : Math.min(Number(last), size - 1));
}

/** @param start may be negative, for more last bytes than the file has */
function toRange(start: number, end: number): ByteRange | null {
  const first = Math.max(start, 0);
  return first > end ? null : { start: first, end };
}
