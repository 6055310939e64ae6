import { z } from 'zod';

import * as kinds from './setting-schemas.js';

const takes =
  (kind: z.ZodType) =>
  (text: string, expected: unknown = text): void => {
    expect(kind.parse(text)).toEqual(expected);
  };

const refuses =
  (kind: z.ZodType, message: RegExp) =>
  (text: string): void => {
    expect(kind.safeParse(text).error?.issues[0]?.message).toMatch(message);
  };

describe('the schema of a flag', () => {
  test.each([
    ['true', true],
    ['false', false],
  ])('accepts %s', takes(kinds.trueOrFalse));
  test.each(['TRUE', '1', 'yes', 'true '])('refuses %j', refuses(kinds.trueOrFalse, /^true or false$/));
});

describe('the schema of an integer', () => {
  const parser = kinds.wholeNumber(1, 100);
  test.each([
    ['1', 1],
    ['100', 100],
    ['042', 42],
  ])('accepts %s', takes(parser));
  test.each(['0', '101', '-1', '1.5', '1e1', '0x10', ' 1', 'ten', 'Infinity', '1'.repeat(16)])(
    'refuses %j',
    refuses(parser, /^a whole number from 1 to 100$/),
  );
});

describe('the schema of a date', () => {
  test.each([
    ['2027-01-31', '2027-01-31T00:00:00.000Z'],
    ['2027-01-31T12:30', '2027-01-31T12:30:00.000Z'],
    ['2027-01-31T12:30:15.123Z', '2027-01-31T12:30:15.123Z'],
    ['2027-01-31T23:30:00-05:00', '2027-02-01T04:30:00.000Z'],
  ])('accepts %s', (text, iso) => {
    takes(kinds.isoDate)(text, new Date(iso));
  });
  test.each(['tomorrow', '2027-02-29', '2027-01-31T25:00', '2027-01-31T12:00:00.1234Z', '1800000000'])(
    'refuses %j',
    refuses(kinds.isoDate, /^an ISO 8601 date such as 2027-01-31/),
  );
});

describe('the schema of a list', () => {
  const parser = kinds.commaSeparated(kinds.wholeNumber(0, 9));
  test.each([
    [' 1 , 2 ', [1, 2]],
    ['1,,2,', [1, 2]],
    [',', []],
  ])('accepts %j', takes(parser));
  test('refuses the whole list for one invalid part', () => {
    refuses(parser, /^a whole number from 0 to 9$/)('1,x');
  });
});

describe('the schema of a PostgreSQL URL', () => {
  test.each(['postgres://user:secret@db:5432/app', 'postgresql://db/app?sslmode=require'])(
    'accepts %s',
    (url) => {
      takes(kinds.postgresUrl)(url);
    },
  );
  test.each(['mysql://db/app', 'db:5432/app', 'postgres://', 'postgres://db:port/x'])(
    'refuses %s',
    refuses(kinds.postgresUrl, /^postgres:\/\/user:password@host:port\/database$/),
  );
});

describe('the schema of an origin', () => {
  test.each(['https://app.example.com', 'http://localhost:5173', 'https://[::1]:8443'])(
    'accepts %s',
    (origin) => {
      takes(kinds.origin)(origin);
    },
  );
  test.each([
    '*',
    'null',
    'https://app.example.com/',
    'https://app.example.com:443',
    'https://App.example.com',
  ])('refuses %s', refuses(kinds.origin, /^origins such as https:/));
});

describe('the schema of HSTS', () => {
  test.each([
    ['max-age=31536000; includeSubDomains; preload', 'max-age=31536000; includeSubDomains; preload'],
    ['off', undefined],
  ])('accepts %s', (text, expected) => {
    expect(kinds.hsts.parse(text)).toBe(expected);
  });
  test.each(['on', 'max-age', 'max-age=1\r\nx: y', 'max-age=1; x'])(
    'refuses %j',
    refuses(kinds.hsts, /^max-age=<seconds>/),
  );
});

test.each<[string, z.ZodType, string, string]>([
  ['the length of a secret in bytes', kinds.keySecret, 'ü'.repeat(16), 'ü'.repeat(15)],
  ['the minimum length of a password', kinds.password, '😀'.repeat(8), '😀'.repeat(7)],
  ['the maximum length of a password', kinds.password, '😀'.repeat(128), 'x'.repeat(129)],
  ['the maximum length of an e-mail address', kinds.emailAddress, 'a@b', `${'a'.repeat(254)}@b.de`],
])('the schema enforces %s', (_name, kind, right, wrong) => {
  expect([kind.safeParse(right).success, kind.safeParse(wrong).success]).toEqual([true, false]);
});

describe('the schema of TRUST_PROXY', () => {
  test.each<[string, readonly string[] | number]>([
    ['1', 1],
    ['loopback, 10.0.0.0/8', ['loopback', '10.0.0.0/8']],
    ['2001:db8::/32', ['2001:db8::/32']],
  ])('accepts %s', takes(kinds.trustedProxies));
  test.each([
    'true',
    '*',
    'proxy.example.com',
    '100',
    '999.1.1.1',
    '10.0.0.0/33',
    '10.0.0.0/0',
    '10.0.0.1, nobody',
  ])(
    'refuses %j',
    refuses(kinds.trustedProxies, /^a hop count, or addresses and ranges such as 10\.0\.0\.0\/8$/),
  );
});
