import fc from 'fast-check';

import { Cursor, CursorCodec, CursorKey } from './cursor.js';
import { SortTerm } from './sort.js';

const SECRET = 'a-secret-of-the-service-of-32-bytes!';
const OTHER = 'another-secret-of-the-service-32-byte';
const codec = new CursorCodec([SECRET]);

const LIST = 'products?[]&price:asc,id:asc';
const SORT: readonly SortTerm[] = [
  { property: 'price', direction: 'asc' },
  { property: 'id', direction: 'asc' },
];
const sortOf = (keys: readonly CursorKey[]): readonly SortTerm[] =>
  keys.map((_, i) => ({ property: `p${i}`, direction: 'asc' }));

const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const cursor = codec.encode({ list: LIST, keys: [49.9, 17] });

const key: fc.Arbitrary<CursorKey> = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 50 }),
  fc.integer(),
  fc.integer({ min: 0, max: 999_999_999_999 }).map((cents) => cents / 100),
  fc.constant(null),
);
const anyCursor: fc.Arbitrary<Cursor> = fc.record({
  list: fc.string({ maxLength: 200 }),
  keys: fc.array(key, { minLength: 1, maxLength: 5 }),
});

describe('round trip', () => {
  test('is base64url without padding, and gives the keys back', () => {
    expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(codec.decode(cursor, LIST, SORT)).toEqual([49.9, 17]);
  });

  test('of any keys', () => {
    fc.assert(
      fc.property(anyCursor, ({ list, keys }) => {
        expect(codec.decode(codec.encode({ list, keys }), list, sortOf(keys))).toEqual(keys);
      }),
    );
  });

  test('on another instance with the same secrets', () => {
    expect(new CursorCodec([SECRET]).encode({ list: LIST, keys: [49.9, 17] })).toBe(cursor);
    expect(new CursorCodec([SECRET]).decode(cursor, LIST, SORT)).toEqual([49.9, 17]);
  });

  test('tells nothing of the secret', () => {
    const text = Buffer.from(cursor, 'base64url').toString('latin1');
    expect(text).not.toContain(SECRET.slice(0, 8));
  });
});

describe('a cursor that was changed', () => {
  test('in any one character is refused', () => {
    for (let i = 0; i < cursor.length; i++) {
      for (const char of BASE64URL) {
        if (char === cursor[i]) continue;
        const changed = cursor.slice(0, i) + char + cursor.slice(i + 1);
        expect(codec.decode(changed, LIST, SORT)).toBeNull();
      }
    }
  });

  test('in one character, of any cursor and any change, is refused', () => {
    const change = fc.tuple(
      fc.nat(),
      fc.oneof(
        fc.constantFrom(...BASE64URL.split('')),
        fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
      ),
    );
    fc.assert(
      fc.property(anyCursor, change, ({ list, keys }, [at, char]) => {
        const text = codec.encode({ list, keys });
        const i = at % text.length;
        fc.pre(text[i] !== char);
        expect(codec.decode(text.slice(0, i) + char + text.slice(i + 1), list, sortOf(keys))).toBeNull();
      }),
    );
  });

  test.each<[string, (text: string) => string]>([
    ['by one character less', (text) => text.slice(0, -1)],
    ['by one character less before', (text) => text.slice(1)],
    ['by one character more', (text) => `${text}A`],
    ['by padding', (text) => `${text}=`],
    ['by blanks around', (text) => ` ${text} `],
    ['by a line break behind', (text) => `${text}\n`],
    ['to capitals', (text) => text.toUpperCase()],
    ['by being there twice', (text) => text + text],
    [
      'to its signature alone',
      (text) => Buffer.from(text, 'base64url').subarray(0, 16).toString('base64url'),
    ],
    ['to its payload alone', (text) => Buffer.from(text, 'base64url').subarray(16).toString('base64url')],
    [
      'in its payload under its old signature',
      (text) => {
        const bytes = Buffer.from(text, 'base64url');
        const payload = Buffer.from(JSON.stringify([LIST, 0, 17]));
        return Buffer.concat([bytes.subarray(0, 16), payload]).toString('base64url');
      },
    ],
  ])('%s is refused', (_name, change) => {
    expect(change(cursor)).not.toBe(cursor);
    expect(codec.decode(change(cursor), LIST, SORT)).toBeNull();
  });
});

describe('a cursor of something else is refused', () => {
  test.each([
    ['another list', 'orders?[]&price:asc,id:asc'],
    ['another filter', 'products?[{"property":"category","operator":"=","value":"desk"}]&price:asc,id:asc'],
    ['another direction', 'products?[]&price:desc,id:desc'],
    ['no list', ''],
    ['a list that begins alike', `${LIST},x:asc`],
  ])('%s', (_name, list) => {
    expect(codec.decode(cursor, list, SORT)).toBeNull();
  });

  test('another number of keys', () => {
    expect(codec.decode(cursor, LIST, SORT.slice(0, 1))).toBeNull();
    expect(codec.decode(cursor, LIST, [...SORT, SORT[0]!])).toBeNull();
  });

  test('another service', () => {
    expect(new CursorCodec([OTHER]).decode(cursor, LIST, SORT)).toBeNull();
  });
});

describe('rotation of secrets', () => {
  const rotated = new CursorCodec([OTHER, SECRET]);

  test('what an older secret signed is still read', () => {
    expect(rotated.decode(cursor, LIST, SORT)).toEqual([49.9, 17]);
  });

  test('the first one signs', () => {
    const text = rotated.encode({ list: LIST, keys: [1, 2] });
    expect(text).toBe(new CursorCodec([OTHER]).encode({ list: LIST, keys: [1, 2] }));
    expect(codec.decode(text, LIST, SORT)).toBeNull();
  });
});

describe('hostile text', () => {
  test.each([
    ['nothing', ''],
    ['a character', 'A'],
    ['blanks', '   '],
    ['NUL', '\u0000'],
    ['plain base64', Buffer.alloc(40, 0xff).toString('base64')],
    ['JSON', '["products",1,2]'],
    ['zeros', 'A'.repeat(100)],
    ['16 bytes', Buffer.alloc(16).toString('base64url')],
    ['17 bytes', Buffer.alloc(17).toString('base64url')],
    ['a megabyte', 'A'.repeat(1_000_000)],
    ['signs of percent', '%ZZ'],
    ['a surrogate', '\ud800'],
  ])('%s is refused', (_name, text) => {
    expect(codec.decode(text, LIST, SORT)).toBeNull();
  });

  test('of any kind never throws', () => {
    const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array).toString('base64url'));
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), bytes), (text) => {
        expect(codec.decode(text, LIST, SORT)).toBeNull();
      }),
    );
  });
});
