import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** A value of a sorted property, as PostgreSQL writes it. */
export type CursorKey = string | null;

const SIGNATURE_BYTES = 16;
const MAX_CURSOR_LENGTH = 4096;

/**
 * Writes and reads cursors. A cursor is a signature, followed by JSON, in base64url. The keys for signing are derived
 * from secrets that all instances share.
 */
export class CursorCodec {
  private readonly keys: readonly Buffer[];

  /** @param secrets the first secret signs cursors, and every secret may verify them */
  constructor(secrets: readonly string[]) {
    this.keys = secrets.map((secret) => Buffer.from(hkdfSync('sha256', secret, '', 'list cursor', 32)));
  }

  /**
   * @param list a digest of the list's name, filters and sort. The cursor is valid only for this list
   * @param keys the values of the sorted properties in the last row of a page
   */
  encode(list: string, keys: readonly CursorKey[]): string {
    const payload = Buffer.from(JSON.stringify([list, ...keys]));
    return Buffer.concat([this.sign(payload, this.keys[0] as Buffer), payload]).toString('base64url');
  }

  /**
   * Returns the keys of a cursor. Returns `null` if the text is not a cursor, if somebody has changed it, or if it
   * belongs to another list, filter or sort.
   */
  decode(text: string, list: string): readonly CursorKey[] | null {
    if (text.length > MAX_CURSOR_LENGTH || !/^[A-Za-z0-9_-]+$/.test(text)) return null;
    const bytes = Buffer.from(text, 'base64url');
    if (bytes.length <= SIGNATURE_BYTES || bytes.toString('base64url') !== text) return null;
    const payload = bytes.subarray(SIGNATURE_BYTES);
    const signature = bytes.subarray(0, SIGNATURE_BYTES);
    if (!this.keys.some((key) => timingSafeEqual(signature, this.sign(payload, key)))) return null;
    const [writtenFor, ...keys] = JSON.parse(payload.toString()) as [string, ...CursorKey[]];
    return writtenFor === list ? keys : null;
  }

  private sign(payload: Buffer, key: Buffer): Buffer {
    return createHmac('sha256', key).update(payload).digest().subarray(0, SIGNATURE_BYTES);
  }
}
