import fc from 'fast-check';

import { CursorCodec, CursorKey } from './cursor.js';

const SECRET = 'a-secret-of-the-service-of-32-bytes!';
const OTHER = 'another-secret-of-the-service-32-byte';
const codec = new CursorCodec([SECRET]);

const LIST = 'products?[]&price:asc,id:asc';

const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const cursor = codec.encode(LIST, ['49.90', '17']);

const key: fc.Arbitrary<CursorKey> = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 50 }),
  fc.constant(null),
);
const anyCursor = fc.record({
  list: fc.string({ maxLength: 200 }),
  keys: fc.array(key, { minLength: 1, maxLength: 5 }),
});

describe('a cursor', () => {
  test('is base64url without padding, and returns its keys', () => {
    expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(codec.decode(cursor, LIST)).toEqual(['49.90', '17']);
  });

  test('returns any keys', () => {
    fc.assert(
      fc.property(anyCursor, ({ list, keys }) => {
        expect(codec.decode(codec.encode(list, keys), list)).toEqual(keys);
      }),
    );
  });

  test('is valid on another instance with the same secrets', () => {
    expect(new CursorCodec([SECRET]).encode(LIST, ['49.90', '17'])).toBe(cursor);
    expect(new CursorCodec([SECRET]).decode(cursor, LIST)).toEqual(['49.90', '17']);
  });
});

describe('a changed cursor', () => {
  test('is refused if any one character differs', () => {
    for (let i = 0; i < cursor.length; i++) {
      for (const char of BASE64URL) {
        if (char === cursor[i]) continue;
        const changed = cursor.slice(0, i) + char + cursor.slice(i + 1);
        expect(codec.decode(changed, LIST)).toBeNull();
      }
    }
  });

  test.each<[string, (text: string) => string]>([
    ['without its last character', (text) => text.slice(0, -1)],
    ['without its first character', (text) => text.slice(1)],
    ['with one more character', (text) => `${text}A`],
    ['with padding', (text) => `${text}=`],
    ['with a line break at the end', (text) => `${text}\n`],
    ['only its signature', (text) => Buffer.from(text, 'base64url').subarray(0, 16).toString('base64url')],
    ['only its payload', (text) => Buffer.from(text, 'base64url').subarray(16).toString('base64url')],
    [
      'another payload under its signature',
      (text) => {
        const bytes = Buffer.from(text, 'base64url');
        const payload = Buffer.from(JSON.stringify([LIST, 0, 17]));
        return Buffer.concat([bytes.subarray(0, 16), payload]).toString('base64url');
      },
    ],
  ])('is refused: %s', (_name, change) => {
    expect(change(cursor)).not.toBe(cursor);
    expect(codec.decode(change(cursor), LIST)).toBeNull();
  });
});

describe('a cursor of another list or service', () => {
  test.each([
    ['another list', 'orders?[]&price:asc,id:asc'],
    ['a list whose name begins with the same text', `${LIST},x:asc`],
  ])('is refused: from %s', (_name, list) => {
    expect(codec.decode(cursor, list)).toBeNull();
  });

  test('is refused: from another service', () => {
    expect(new CursorCodec([OTHER]).decode(cursor, LIST)).toBeNull();
  });
});

describe('a cursor after the rotation of secrets', () => {
  const rotated = new CursorCodec([OTHER, SECRET]);

  test('is read if an older secret signed it', () => {
    expect(rotated.decode(cursor, LIST)).toEqual(['49.90', '17']);
  });

  test('is signed with the first secret', () => {
    const text = rotated.encode(LIST, ['1', '2']);
    expect(text).toBe(new CursorCodec([OTHER]).encode(LIST, ['1', '2']));
    expect(codec.decode(text, LIST)).toBeNull();
  });
});

describe('a text that is not a cursor', () => {
  test.each([
    ['an empty string', ''],
    ['plain base64', Buffer.alloc(40, 0xff).toString('base64')],
    ['17 bytes', Buffer.alloc(17).toString('base64url')],
    ['a megabyte', 'A'.repeat(1_000_000)],
    ['a lone surrogate', '\ud800'],
  ])('is refused: %s', (_name, text) => {
    expect(codec.decode(text, LIST)).toBeNull();
  });

  test('makes decode() return null, and never throw', () => {
    const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array).toString('base64url'));
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), bytes), (text) => {
        expect(codec.decode(text, LIST)).toBeNull();
      }),
    );
  });
});
