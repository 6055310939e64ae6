import fc from 'fast-check';

import { readBody } from '../../../../test/support/read-body.js';
import { ApiError } from '../http/errors/api-error.js';
import { Dto } from './field.js';
import { jsonSchemaFor } from './response-schema.js';
import { Choice, Decimal, Email, Id, Integer, Money, Password, Text } from './fields.js';
import { isWellFormedText } from './rules.js';

const dtos = new Map<PropertyDecorator, Dto>();

/**
 * Returns a DTO with one field. There is one DTO per decorator, because class-validator keeps the metadata of every
 * class forever.
 */
function bodyOf(decorator: PropertyDecorator): Dto {
  const known = dtos.get(decorator);
  if (known) return known;
  class Body {
    value: unknown;
  }
  decorator(Body.prototype, 'value');
  dtos.set(decorator, Body);
  return Body;
}

/** Returns the sorted codes of a value's faults. The array is empty if the value is accepted unchanged. */
function codesOf(decorator: PropertyDecorator, value: unknown): string[] {
  return faultsOf(decorator, value).map(({ code }) => code);
}

function faultsOf(decorator: PropertyDecorator, value: unknown): { code: string; message: string }[] {
  try {
    const body = readBody({ value }, bodyOf(decorator));
    expect((body as { value: unknown }).value).toBe(value);
    return [];
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error
      .details!.map(({ code, message }) => ({ code, message }))
      .sort((a, b) => (a.code < b.code ? -1 : 1));
  }
}

const taking =
  (decorator: PropertyDecorator) =>
  (_name: string, value: unknown): void => {
    expect(codesOf(decorator, value)).toEqual([]);
  };

const refusing =
  (decorator: PropertyDecorator) =>
  (_name: string, value: unknown, ...codes: string[]): void => {
    expect(codesOf(decorator, value)).toEqual(codes);
  };

describe('@Text()', () => {
  test.each<[string, unknown]>([
    ['a string of the maximum length', 'x'.repeat(5)],
    ['the maximum length in characters beyond the basic plane', '😀'.repeat(5)],
  ])('accepts %s', taking(Text({ max: 5 })));
  test.each<[string, unknown, ...string[]]>([
    ['one character beyond the basic plane too many', '😀'.repeat(6), 'TOO_LONG'],
    ['NUL', 'a\u0000', 'BAD_CHARACTER'],
    ['a lone high surrogate', '\ud83d', 'BAD_CHARACTER'],
    ['surrogates in the wrong order', '\ude00\ud83d', 'BAD_CHARACTER'],
    ['null', null, 'WRONG_TYPE'],
    ['a number', 5, 'WRONG_TYPE'],
  ])('refuses %s', refusing(Text({ max: 5 })));

  test('accepts a blank string if `blank` is set', () => {
    expect(codesOf(Text({ max: 5, blank: true }), '')).toEqual([]);
    expect(codesOf(Text({ max: 5, blank: true }), '  ')).toEqual([]);
    expect(codesOf(Text({ max: 5, blank: true }), '      ')).toEqual(['TOO_LONG']);
  });

  test('refuses a string shorter than `min`', () => {
    expect(codesOf(Text({ min: 3, max: 5 }), 'ab')).toEqual(['TOO_SHORT']);
    expect(codesOf(Text({ min: 3, max: 5 }), 'abc')).toEqual([]);
  });

  test('accepts null if `nullable` is set', () => {
    expect(codesOf(Text({ max: 5, nullable: true }), null)).toEqual([]);
    expect(faultsOf(Text({ max: 5, nullable: true }), 1)[0]?.message).toBe(
      'must be a string or null (got 1)',
    );
  });
});

test('isWellFormedText() is true for strings without NUL that survive encoding as UTF-8', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const survives = Buffer.from(text).toString() === text;
      expect(isWellFormedText(text)).toBe(survives && !text.includes('\0'));
    }),
  );
  const units = fc.array(fc.integer({ min: 0xd7fe, max: 0xe001 }), { maxLength: 4 });
  fc.assert(
    fc.property(units, (codes) => {
      const text = String.fromCharCode(...codes);
      expect(isWellFormedText(text)).toBe(Buffer.from(text).toString() === text);
    }),
  );
});

describe('@Integer() and @Id()', () => {
  test.each<[string, unknown]>([
    ['the minimum', 1],
    ['the maximum', 5],
    ['an integer that JSON writes with a decimal point', JSON.parse('2.0')],
  ])('accept %s', taking(Integer({ min: 1, max: 5 })));
  test.each<[string, unknown, ...string[]]>([
    ['more than the maximum', 6, 'TOO_LARGE'],
    ['a fraction', 1.5, 'WRONG_TYPE'],
    ['infinity', JSON.parse('1e400'), 'WRONG_TYPE'],
    ['a text', '1', 'WRONG_TYPE'],
    ['null', null, 'WRONG_TYPE'],
  ])('refuse %s', refusing(Integer({ min: 1, max: 5 })));
  test.each<[string, unknown, ...string[]]>([
    ['zero', 0, 'TOO_SMALL'],
    ['an integer that a number cannot hold exactly', 2 ** 53, 'TOO_LARGE'],
  ])('an id is not %s', refusing(Id()));
});

describe('@Decimal() without a scale', () => {
  test.each<[string, unknown]>([
    ['the largest double', Number.MAX_VALUE],
    ['the smallest double', -Number.MAX_VALUE],
    ['many decimals', 0.1234567890123456],
  ])('accepts %s', taking(Decimal()));
  test.each<[string, unknown, ...string[]]>([
    ['1e400', JSON.parse('1e400'), 'TOO_LARGE'],
    ['-1e400', JSON.parse('-1e400'), 'TOO_SMALL'],
  ])('refuses %s, which JSON cannot represent', refusing(Decimal()));
});

test('@Choice() accepts its words and no others', () => {
  const choice = Choice({ of: ['paid', 'shipped'] });
  expect(codesOf(choice, 'paid')).toEqual([]);
  expect(codesOf(choice, 'Paid')).toEqual(['NOT_ALLOWED']);
  expect(codesOf(choice, 'constructor')).toEqual(['NOT_ALLOWED']);
  expect(codesOf(choice, 1)).toEqual(['WRONG_TYPE']);
  expect(faultsOf(choice, 'lost')[0]?.message).toBe('must be one of paid, shipped (got "lost")');
});

describe('@Email()', () => {
  test.each<[string, unknown]>([
    ['an address', 'ada@example.com'],
    ['a domain of one label', 'admin@localhost'],
    ['an apostrophe', "o'hara@example.ie"],
    ['254 characters', `${'a'.repeat(64)}@${`${'b'.repeat(61)}.`.repeat(3)}com`],
  ])('accepts %s', taking(Email()));
  test.each<[string, unknown, ...string[]]>([
    ['an empty string', '', 'BAD_FORMAT'],
    ['a NUL', 'a\u0000@example.com', 'BAD_CHARACTER', 'BAD_FORMAT'],
    ['255 characters', `${'a'.repeat(243)}@example.com`, 'BAD_FORMAT', 'TOO_LONG'],
    ['a number', 5, 'WRONG_TYPE'],
  ])('refuses %s', refusing(Email()));

  test('refuses long hostile text within half a second', () => {
    const before = process.cpuUsage();
    for (const text of [`a@${'a-'.repeat(120)}!`, `a@${'a.'.repeat(120)}!`, 'a'.repeat(1e6)]) {
      expect(codesOf(Email(), text)).toContain('BAD_FORMAT');
    }
    // Measures processor time, because a busy machine needs more wall time for the same work.
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(500);
  });
});

describe('@Password()', () => {
  test.each<[string, unknown]>([
    ['8 characters', '12345678'],
    ['blanks', ' '.repeat(8)],
    ['128 characters of UTF-8', '😀'.repeat(128)],
  ])('accepts %s', taking(Password()));
  test.each<[string, unknown, ...string[]]>([
    ['7 characters', 'hunter2', 'TOO_SHORT'],
    ['129 characters', 'x'.repeat(129), 'TOO_LONG'],
    ['NUL', 'hunter2\u0000', 'BAD_CHARACTER'],
    ['a number', 123456789, 'WRONG_TYPE'],
    ['null', null, 'WRONG_TYPE'],
  ])('refuses %s', refusing(Password()));

  test.each<[string, unknown]>([
    ['a short password', 'hunter2'],
    ['a password with a bad character', 'hunter2\u0000\u0000'],
    ['a number', 778899001122],
    ['an object', { hunter2: 'hunter2' }],
  ])('shows no value in the message about %s', (_name, value) => {
    const [fault] = faultsOf(Password(), value);
    expect(fault?.message).toMatch(/^must .+ \(got an? .+\)$/);
    expect(fault?.message).not.toMatch(/hunter2|778899/);
  });
});

test('the JSON schema of a field describes its rules', () => {
  class Everything {
    @Money() money: number;
    @Text({ max: 9 }) text: string;
    @Integer({ min: 1, max: 5, nullable: true }) integer: number | null;
    @Choice({ of: ['a', 'b'] }) choice: string;
  }
  expect(jsonSchemaFor(Everything).properties).toEqual({
    money: { type: 'number', minimum: 0, maximum: 9999999999.99 },
    text: { type: 'string', minLength: 1, maxLength: 9 },
    integer: { type: 'integer', minimum: 1, maximum: 5, nullable: true },
    choice: { type: 'string', enum: ['a', 'b'] },
  });
});
